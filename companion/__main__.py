"""`python -m companion` is `companion`."""

from companion.cli import main

main(prog_name="companion")
