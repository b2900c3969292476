"""The version of the program.

pyproject.toml has it, too, and a test compares the two. To ask what is installed would cost each
start a search of its folders and the parsing of a description.
"""

VERSION = "0.1.0"
