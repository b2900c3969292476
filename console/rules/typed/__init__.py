"""What people type: words, numbers and choices, and the floor manager's declarations.

The scenario language (console/simulation/scenario/language), `banco declare` and the technician's
line read their words here.
"""
