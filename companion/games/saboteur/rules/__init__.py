"""Saboteur, complete for five editions: the booklets of 2007 and 2009, a web page, and English.

Seats are numbers from 0, clockwise; chance comes in as an object with `shuffle` and is drawn
nowhere but in `setup` and `redraw`.

>>> from companion.games.saboteur.rules.decide import decide, legal
>>> from companion.games.saboteur.rules.evolve import evolve
>>> from companion.games.saboteur.rules.model import Deal, Path
>>> from companion.games.saboteur.rules.setup import new
>>> class Unshuffled:
...     def shuffle(self, x): pass
>>> state = new(3, 0, "lv-2009", Unshuffled())
>>> (dealt,) = decide(state, Deal(("miner", "saboteur", "miner")))
>>> state = evolve(state, dealt)
>>> refused = decide(state, Path(0, "NS", (1, 0)))
>>> str(refused.reason), refused.params
('saboteur/edge_mismatch', {'sides': 'W'})
>>> legal(state)[0, 1][:3]
('NESW', 'NES', 'NSW')
"""
