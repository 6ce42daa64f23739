"""The rules of the games, as pure functions: no clock, no chance, no text, no web.

Each game is a package of the same shape: `GAME` answers `decide`, `evolve` and `legal`, and
`view` is the only way in which anything a player may know leaves a state.
"""
