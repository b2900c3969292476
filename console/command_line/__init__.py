"""The command `banco`: one file a family of commands, arguments beside what is done with them."""
