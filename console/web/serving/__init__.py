"""The processes that serve pages, a table's and a room's: no service reads from the network."""
