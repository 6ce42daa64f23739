"""What is drawn in a PNG."""

from __future__ import annotations

from io import BytesIO

from PIL import Image


def size(data: bytes) -> tuple[int, int]:
    """Width and height, in pixels."""
    with Image.open(BytesIO(data), formats=["PNG"]) as image:
        return image.size


class Picture:
    def __init__(self, data: bytes) -> None:
        with Image.open(BytesIO(data), formats=["PNG"]) as image:
            self._image = image.convert("RGB")
        self.wide, self.high = self._image.size

    def colours(self, left: float, top: float, right: float, bottom: float) -> set[tuple[int, ...]]:
        """In a rectangle, its edges counted in."""
        cut = self._image.crop((int(left), int(top), int(right), int(bottom)))
        return {colour for _, colour in cut.getcolors(cut.width * cut.height)}
