"""The drawings of the explanation of the Game of Trains: a row, and cards that lie face up."""

from __future__ import annotations

from typing import Any

from companion.games.explanation import Step
from companion.games.trains.explained import FaceUp, Train
from companion.games.trains.pages.present import wagons
from companion.games.trains.pages.views import PANELS, Wagon
from companion.games.trains.rules.abilities import Ability
from companion.web.html.panels import View
from companion.web.view.models import Kit

KIT = Kit(("loco", "trains"), ("trains/train.css", "trains/steps.css"))


class TrainView(View, frozen=True):
    template = f"{PANELS}/step_train.html"

    name: str  # of the choices that the wagons are; empty: they are none
    wagons: tuple[Wagon, ...]
    right: tuple[bool, ...]
    wagon: int  # that was drawn; 0: none was
    ability: Ability | None  # of the card that is used


class FaceUpView(View, frozen=True):
    template = f"{PANELS}/step_face_up.html"

    abilities: tuple[Ability, ...]


def drawn(step: Step, name: str) -> tuple[View, tuple[View | None, ...]]:
    pictures = tuple(_train(each.picture) if each.picture else None for each in step.choices)
    return _drawing(step, name), pictures


def _drawing(step: Step, name: str) -> View:
    drawing: Any = step.drawing
    if isinstance(drawing, FaceUp):
        return FaceUpView(drawing.abilities)
    right = tuple(choice.right for choice in step.choices) if drawing.spots else ()
    return _train(drawing, name if drawing.spots else "", right)


def _train(train: Train, name: str = "", right: tuple[bool, ...] = ()) -> TrainView:
    return TrainView(name, wagons(train.row, ()), right, train.wagon, train.ability)
