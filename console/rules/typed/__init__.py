"""Words that people type: numbers, choices, the floor manager's declarations.

For the scenario language (console/simulation/scenario/language), `banco declare` and the
technician's line.
"""
