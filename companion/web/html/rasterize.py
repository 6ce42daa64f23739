"""Draws an SVG from the standard input as a PNG to the standard output: a program of its own, since
the library lets nobody else work meanwhile.

Its arguments are the font files; "-" among them: and those of the machine.
"""

import sys

import resvg_py

if __name__ == "__main__":
    fonts = [each for each in sys.argv[1:] if each != "-"]
    png = resvg_py.svg_to_bytes(
        svg_string=sys.stdin.buffer.read().decode(),
        font_files=fonts,
        skip_system_fonts="-" not in sys.argv,
    )
    sys.stdout.buffer.write(bytes(png))
