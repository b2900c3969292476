"""The opening: the first message to the pages."""

from console.configuration.table_plan import TablePlan
from console.configuration.version import VERSION
from console.configuration.web_address import Listening
from console.line.local_line import LineSource
from console.rules.games import GAMES
from console.web.messages import PagesOpening
from devices.device import Device
from jackpot.amounts import format_cents, format_percent
from jackpot.prizes import load_prizes


def opening_of(whose: LineSource, listening: Listening) -> PagesOpening:
    """The opening of this table."""
    plan = whose.plan
    game = GAMES[plan.game]
    prizes = load_prizes(plan.game).prizes if game.progressive else ()
    return PagesOpening(
        table=plan.table,
        game=plan.game,
        language=plan.language.value,
        simulated=whose.simulated,
        version=VERSION,
        rail=plan.rail.value if plan.rail else None,
        shuffler=game.shuffler.value if game.shuffler else None,
        shoe=game.shoe.value if game.shoe else None,
        combinations=tuple(prize.combination.value for prize in prizes),
        devices=tuple(device.value for device in Device if device in game.devices),
        inspector_fitted=plan.inspector_fitted,
        token=format_cents(plan.money.token),
        base=format_cents(plan.money.base),
        ledger=str(whose.ledger.absolute()),
        listening=listening,
        link=plan.link,
        scenario=settings_lines(plan),
    )


def settings_lines(plan: TablePlan) -> tuple[str, ...]:
    """A scenario's settings for a table like this one (docs/scenarios.md)."""
    money = plan.money
    lines = [
        f"set game {plan.game}",
        f"set language {plan.language.value}",
        f"set inspector {'fitted' if plan.inspector_fitted else 'absent'}",
        f"set token {format_cents(money.token)}",
        f"set to-jackpot {format_percent(money.to_jackpot)}",
        f"set to-reserve {format_percent(money.to_reserve)}",
        f"set jackpot {format_cents(money.opening)}",
        f"set base {format_cents(money.base)}",
    ]
    if plan.link:
        lines.append(f"set link {plan.link}")
    return (*lines, f"set rail {plan.rail.value}") if plan.rail else tuple(lines)
