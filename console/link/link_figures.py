"""The figures of the link, as the technician's pages and the health page show them."""

from console.database.addresses import ServerAddress
from console.link.link_counts import LinkCounts
from console.link.link_facts import describe_orders
from console.rules.link import Welcome
from console.rules.link_orders import LinkOrders
from devices.device import Device
from devices.figures import DeviceFigures


def figures_of_link(
    why_down: str, centre: dict[str, str], orders: LinkOrders | None, counts: LinkCounts
) -> DeviceFigures:
    """The figures at any time; `why_down`: "" while the link is up."""
    return DeviceFigures(
        device=Device.LINK,
        line=Device.LINK.value,
        driver="courier",
        up=not why_down,
        why_down=why_down,
        identity=centre,
        state=describe_orders(orders),
        counts=counts.figures(),
    )


def describe_centre(at: ServerAddress, role: str, welcome: Welcome | None) -> dict[str, str]:
    """Where the centre is, and what it said of itself."""
    centre = {"host": f"{at.host}:{at.port}", "role": role}
    if welcome is not None:
        centre["session"] = str(welcome.session)
        centre["version"] = str(welcome.version)
        centre["timeline"] = str(welcome.timeline)
    return centre
