"""The centre's schema (docs/reference/link-rules.md, section 2)."""

from console.database.install import DatabaseSchema, load_schema


def load_link_schema() -> DatabaseSchema:
    """The schema `link`, with all its migrations."""
    return load_schema("link", "link_owner", "console.link.centre")
