"""What a table must know of its centre, from its configuration."""

from msgspec import Struct

from console.configuration.sections import LinkSection
from console.configuration.table_plan import TablePlan
from console.database.addresses import ServerAddress, credentials_of, hosts_of
from console.link.courier_messages import (
    CourierOpening,
)
from console.rules.link import Terms
from console.rules.link_orders import terms_of


class LinkPlan(Struct, frozen=True):
    """The centre's hosts, how to log in there, and what must be the same at all its tables."""

    opening: CourierOpening
    hosts: tuple[ServerAddress, ...]
    terms: Terms
    jackpot: str


def plan_link(plan: TablePlan, section: LinkSection) -> LinkPlan:
    """The link of a table; its role is the table's name. Raises HostUnusable."""
    return LinkPlan(
        CourierOpening(section.database, plan.table, credentials_of(section)),
        hosts_of(section),
        terms_of(plan.rules(None)),
        section.jackpot,
    )
