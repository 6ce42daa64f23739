"""The Game of Trains by the Estonian booklet of 2015 (Brain Games; Trehgrannik).

The rules alone: two to four rows of wagons, a market of abilities, and who wins. Nothing here draws
cards: the cards are real, and a play says which one came.
"""
