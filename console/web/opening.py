"""The opening: the first message to the pages."""

import sys
from pathlib import Path
from shutil import which

from console.configuration.addresses import Listening
from console.configuration.places import PEOPLE_FILE, simulation_folder
from console.configuration.table_plan import TablePlan
from console.configuration.version import VERSION
from console.line.local_line import LineSource
from console.rules.codes import Duty
from console.rules.poker.poker_outputs import COUNTING
from console.rules.poker_clock import Step, lengths_of, name_steps
from console.rules.poker_settings import Form, PokerSettings
from console.texts.declarations.card_tables import DOOR_BUTTONS, RESET_LATCH
from console.texts.declarations.lines import list_rows
from console.texts.declarations.row import DrawerUse
from console.web.messages import DrawerAct, PagesOpening, PokerOpening, RakeShown
from devices.device import Device
from jackpot.money.amounts import Cents, format_cents, format_percent

CENTS = 100


def opening_of(whose: LineSource, listening: Listening) -> PagesOpening:
    """The opening of this table."""
    plan = whose.plan
    game = plan.fitted
    table = plan.prize_table
    prizes = table.prizes if table is not None else ()
    return PagesOpening(
        table=plan.table,
        game=plan.game,
        known_as=game.known_as,
        language=plan.language.value,
        simulated=whose.simulated,
        version=VERSION,
        rail=plan.rail.value if plan.rail else None,
        shuffler=game.shuffler.value if game.shuffler else None,
        shoe=game.shoe.value if game.shoe else None,
        combinations=tuple(prize.combination for prize in prizes),
        devices=tuple(device.value for device in Device if device in game.devices),
        inspector_fitted=plan.inspector_fitted,
        token=format_cents(plan.money.token),
        base=format_cents(plan.money.base),
        ledger=str(whose.ledger.absolute()),
        listening=listening,
        link=plan.link,
        buttons=_legends_at(plan) or tuple((prize.combination,) for prize in prizes),
        poker=_poker_of(plan.poker) if isinstance(plan.poker, PokerSettings) else None,
        scenario=settings_lines(plan),
        declarations=_acts_at(plan) if whose.simulated else (),
        settings=plan.settings(),
        sign=plan.sign,
        house=plan.house,
        enrol=_command_to_enrol(whose.folder) if whose.simulated else "",
    )


def _command_to_enrol(folder: Path) -> str:
    """As it is typed on this machine, for the table whose cabinet lies in this folder."""
    command = which("banco", path=str(Path(sys.executable).parent)) or "banco"
    people = "--sim" if folder == simulation_folder() else f"--file {folder / PEOPLE_FILE.name}"
    return f"{command} enrol anna --duty {Duty.FLOOR_MANAGER.value} {people}"


def _acts_at(plan: TablePlan) -> tuple[DrawerAct, ...]:
    """What the drawer has: the declarations, and the doors."""
    doors = () if plan.doors is None else DOOR_BUTTONS
    latch = () if plan.doors is None or plan.doors.latch is None else (RESET_LATCH,)
    moves = (DrawerAct(one.line, one.words, one.use.value) for one in (*doors, *latch))
    return (*_declarations_at(plan), *moves)


def _declarations_at(plan: TablePlan) -> tuple[DrawerAct, ...]:
    poker = plan.poker if isinstance(plan.poker, PokerSettings) else None
    acts = [
        DrawerAct(
            f"declare {button.line}",
            button.words,
            button.use.value,
            tuple(one.field for one in row.arguments if one.field)[: button.line.count("#")],
        )
        for row in list_rows(plan.fitted, poker, doors=plan.doors is not None)
        for button in row.buttons
        if (button.where or row.where)(plan.fitted, poker)
    ]
    uses = [use.value for use in DrawerUse]
    return tuple(sorted(acts, key=lambda act: uses.index(act.use)))


def _legends_at(plan: TablePlan) -> tuple[tuple[str, ...], ...]:
    """The lit buttons' names at a poker table; a tournament counts no pot."""
    poker = plan.poker
    counts_pots = isinstance(poker, PokerSettings) and poker.form is Form.CASH
    unused = () if counts_pots else COUNTING
    return tuple(
        tuple(name for name in names if name not in unused) for names in plan.fitted.legends
    )


def _poker_of(poker: PokerSettings) -> PokerOpening:
    return PokerOpening(
        form=poker.form.value,
        house=poker.house.value,
        hole=poker.hole,
        chips=tuple(format_cents(chip) for chip in poker.chips),
        blinds=str(poker.blinds),
        steps=name_steps(poker.structure),
        lengths=lengths_of(poker.structure),
        seats=poker.players,
        rake=_rake_of(poker) if poker.form is Form.CASH else None,
        shares_clock=bool(poker.tournament),
    )


def _rake_of(poker: PokerSettings) -> RakeShown:
    terms = poker.rake_terms(half=False)
    most = format_cents(Cents(terms.cap.of(poker.players) * CENTS))
    return RakeShown(terms.rate, format_cents(terms.fixed), most)


def settings_lines(plan: TablePlan) -> tuple[str, ...]:
    """A scenario's settings for a table like this one (docs/reference/scenarios.md)."""
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
    if plan.doors is not None:
        lines.append(f"set doors {'fitted' if plan.doors.latch is None else 'latched'}")
    if plan.prizes_file:
        lines.append(f"set prizes {plan.prizes_file}")
    if plan.link:
        lines.append(f"set link {plan.link}")
    if isinstance(plan.poker, PokerSettings):
        lines += poker_lines(plan.poker)
    return (*lines, f"set rail {plan.rail.value}") if plan.rail else tuple(lines)


def poker_lines(poker: PokerSettings) -> list[str]:
    """A poker table's settings in the words of a scenario."""
    time, cap = poker.time, poker.cap
    set_by_house = {
        "time": f"{time.seconds}+{time.countdown}" if time is not None else None,
        "late-registration": poker.late_registration or None,
        "rake-rate": format_percent(poker.rate) if poker.rate is not None else None,
        "rake-fixed": format_cents(poker.fixed) if poker.fixed is not None else None,
        "rake-cap": " ".join(f"{least}:{euro}" for least, euro in cap.steps) if cap else None,
    }
    values = {
        "form": poker.form.value,
        "house": poker.house.value,
        "players": poker.players,
        "hole": poker.hole,
        "shuffler": "deck" if poker.deck_shuffler else "none",
        "blinds": poker.blinds,
        "chips": " ".join(map(format_cents, poker.chips)),
        **{name: value for name, value in set_by_house.items() if value is not None},
    }
    return [*(f"set {name} {value}" for name, value in values.items()), *map(_step, poker.steps)]


def _step(step: Step) -> str:
    seconds = step.ms // 1000
    return f"set level {seconds}s {step.blinds}" if step.blinds else f"set break {seconds}s"
