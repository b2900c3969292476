"""What a table must know of its centre, from its configuration."""

from msgspec import Struct

from console.configuration.centre_address import parse_host
from console.configuration.sections import LinkSection
from console.configuration.table_plan import TablePlan
from console.database.addresses import Credentials, ServerAddress
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


def plan_link(plan: TablePlan, section: LinkSection) -> LinkPlan:
    """The link of a table; its role is the table's name. Raises HostUnusable."""
    return LinkPlan(
        CourierOpening(section.database, plan.table, credentials_of(section)),
        tuple(ServerAddress(*parse_host(host)) for host in section.hosts),
        terms_of(plan.rules(None)),
    )


def credentials_of(section: LinkSection) -> Credentials | None:
    """The files of TLS; None where none is named."""
    if section.certificate is None or section.key is None or section.root is None:
        return None
    return Credentials(section.certificate, section.key, section.root)
