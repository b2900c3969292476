"""The figures of the link, as the technician's pages and the health page show them."""

from console.database.addresses import ServerAddress
from console.rules.centre_orders import LinkOrders
from console.rules.link import Welcome
from console.rules.link_state import OwnAward
from devices.device import Device
from devices.figures import DeviceFigures, LineCounts
from jackpot.money.amounts import format_cents


def describe_orders(orders: LinkOrders | None) -> dict[str, str]:
    """How many calls wait, and the last that was answered; the jackpot, and the own award."""
    if orders is None:
        return {}
    facts = {"calls waiting": str(len(orders.calls)), "last answered": str(orders.answered)}
    if orders.reading is not None:
        facts["jackpot"] = format_cents(orders.reading)
    if orders.award is not None:
        facts |= _describe_award(orders.award)
    return facts


def _describe_award(award: OwnAward) -> dict[str, str]:
    about = {"award": f"{award.combination} x {award.winners}"}
    if award.centre is None:
        return {**about, "each": "asked"}
    return {**about, "each": format_cents(award.centre.each), "awaited": str(award.centre.awaited)}


class LinkCounts:
    """Counts since the service started."""

    def __init__(self) -> None:
        self.sent = self.received = self.bad = self.connections = 0
        self._trips = self._last_ms = self._total_ms = 0.0

    def note_answer(self, round_trip_ms: float) -> None:
        """Note an answer, and how long it took."""
        self.received += 1
        self._trips += 1
        self._last_ms = round_trip_ms
        self._total_ms += round_trip_ms

    def figures(self) -> LineCounts:
        """As every device has them."""
        return LineCounts(
            received=self.received,
            bad=self.bad,
            sent=self.sent,
            connections=self.connections,
            round_trip_ms=round(self._last_ms, 1) if self._trips else None,
            round_trip_mean_ms=round(self._total_ms / self._trips, 1) if self._trips else None,
        )


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
