"""The scenario language (docs/reference/scenarios.md), and what plays it.

Text becomes statements, and nothing else, in three files. `script`: a whole file, its settings, and
one line. `acts`: what is done to the cabinet. `expectations`: what is expected of the table. Words,
numbers and choices are read by `console.rules.typed`; what follows `declare` by
`console.texts.declarations`, since `banco declare` and the technician's line take the same words.
"""
