"""The centre's schema, and the roles of those who come to it.

docs/reference/link-rules.md, section 2.
"""

from enum import Enum

from psycopg import Connection

from console.database.install import (
    DatabaseSchema,
    grant_group,
    limit_table,
    load_schema,
    make_login,
)

_IN_GROUP = """
SELECT EXISTS (
    SELECT FROM pg_auth_members AS m JOIN pg_roles AS g ON g.oid = m.roleid
    JOIN pg_roles AS r ON r.oid = m.member WHERE r.rolname = %s AND g.rolname = %s
)
"""


def load_link_schema() -> DatabaseSchema:
    """The schema `link`, with all its migrations."""
    return load_schema("link", "link_owner", "console.link.centre")


class RoleGroup(Enum):
    """What a role is there for; the values are groups of the schema."""

    MEMBER = "link_member"
    CASH_DESK = "link_cash_desk"
    OPERATOR = "link_operator"
    READER = "link_reader"
    POKER_TABLE = "link_poker_table"


_BOUNDED = {RoleGroup.MEMBER, RoleGroup.POKER_TABLE, RoleGroup.CASH_DESK}
_OTHERS = {
    RoleGroup.MEMBER: {RoleGroup.CASH_DESK, RoleGroup.OPERATOR, RoleGroup.READER},
    RoleGroup.CASH_DESK: {RoleGroup.MEMBER, RoleGroup.OPERATOR},
    RoleGroup.OPERATOR: {RoleGroup.MEMBER, RoleGroup.CASH_DESK},
    RoleGroup.READER: {RoleGroup.MEMBER},
    RoleGroup.POKER_TABLE: {RoleGroup.CASH_DESK, RoleGroup.OPERATOR},
}


def make_role(connection: Connection, name: str, group: RoleGroup) -> None:
    """Make the role, which may log in, or put the one that is there into the group.

    Raises ValueError if it is an administrator's, or a table's and an operator's at once, and
    psycopg.Error.
    """
    with connection.transaction():
        make_login(connection, name)
        for other in _OTHERS[group]:
            if _is_in(connection, name, other):
                raise ValueError(f"{name} is in the group {other.value}: take another name")
        grant_group(connection, name, group.value)
        if group in _BOUNDED:
            limit_table(connection, name)


def _is_in(connection: Connection, name: str, group: RoleGroup) -> bool:
    found = connection.execute(_IN_GROUP, (name, group.value)).fetchone()
    return found is not None and bool(found[0])
