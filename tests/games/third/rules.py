"""The rules of Pebbles, its records and its words. An event is the play that was accepted."""

from msgspec.structs import replace

from companion.games.book import Section, rule
from companion.games.fields import Malformed, RecordStart, good_names, is_number
from companion.games.game import Reasons, Rejection
from companion.values import Value

SEATS = range(2, 6)
HEAPS = {"five": 5, "nine": 9}
REASONS = Reasons("pebbles")
NOT_NOW = REASONS.add("not_now", lambda t, _: "Somebody else takes now.", paragraph="turn")
TOO_MANY = REASONS.add("too_many", lambda t, _: "Take one, two or three.", paragraph="turn")


class State(Value, frozen=True):
    edition: str
    seats: int
    starter: int
    left: int
    turn: int | None  # None until the fox is dealt, and when the game is over
    fox: int | None = None


class Deal(Value, frozen=True):
    fox: int


class Take(Value, frozen=True):
    by: int
    pebbles: int


Play = Deal | Take


def new(fox, seats, starter, edition, chance):
    return State(edition, seats, starter, HEAPS[edition], None if fox else starter)


def deal(state, chance):
    seats = list(range(state.seats))
    chance.shuffle(seats)
    return Deal(seats[0])


def decide(state, play):
    if isinstance(play, Deal):
        return (play,) if state.turn is None and state.left else Rejection(NOT_NOW)
    if play.by != state.turn:
        return Rejection(NOT_NOW)
    return (play,) if 1 <= play.pebbles <= min(3, state.left) else Rejection(TOO_MANY)


def evolve(state, event):
    if isinstance(event, Deal):
        return replace(state, fox=event.fox, turn=state.starter)
    left = state.left - event.pebbles
    return replace(state, left=left, turn=(event.by + 1) % state.seats if left else None)


def view(state, seat):
    return state if not state.left or seat == state.fox else replace(state, fox=None)


def read_header(fox, fields):
    names, edition = good_names(fields.get("seats"), SEATS), fields.get("edition")
    if names is None or edition not in HEAPS or fields.get("starter") not in names:
        return Malformed("seats")
    return RecordStart(names, new(fox, len(names), names.index(fields["starter"]), edition, None))


def header_fields(state, names):
    return {"edition": state.edition, "seats": [*names], "starter": names[state.starter]}


def read_play(fields, player_index):
    play, number = fields.get("play"), fields.get("pebbles")
    who = player_index(fields.get("fox" if play == "deal" else "by"))
    if who is None or (play != "deal" and not is_number(number)):
        return Malformed("play")
    return Deal(who) if play == "deal" else Take(who, number)


def play_fields(play, names):
    if isinstance(play, Deal):
        return {"play": "deal", "fox": names[play.fox]}
    return {"by": names[play.by], "play": "take", "pebbles": play.pebbles}


def event(t, happened, names, listing):
    return f"{names[happened.by]} takes {happened.pebbles}."


def accepted(t, verdict, listing):
    return [f"Pebbles left: {verdict['left']}"]


def book(t, edition):
    return (Section("game", "Game", (rule("turn", "A turn", "Take one to three pebbles."),)),)
