"""The version of the program: the one place where it is written.

pyproject.toml takes it from here. To ask what is installed would cost each start a search of its
folders and the parsing of a description.
"""

VERSION = "0.1.0"
