"""A round, and an award, as people play them; outputs are read where they go."""

from random import Random

from devices.roles import Button, KeyPosition, Lamp
from tests.rig.machine.table import WIRING, Status, Table

SEATS = (1, 3, 6)
FLUSH = Button.COMBINATION_5
FLUSH_LAMP = WIRING.combination_lamps[4]


async def play_round(table: Table, _: Random) -> None:
    """GAME OVER, three tokens, COIN IN: slot lamps, gates, tray, and the panel's seat LEDs."""
    before = await table.status()
    tray = table.boards.state.tray_tokens
    await table.press(Button.GAME_OVER)
    await table.wait("the slot lamps invite", lambda: lamps_are(table, Lamp.INVITE))
    await table.wait_for_phase("BETTING")
    for seat in SEATS:
        table.boards.rail.put_token(seat)
    await table.wait_until(
        "the tokens are seen", lambda status: set(status["seats"]) == {str(seat) for seat in SEATS}
    )
    await table.press(Button.COIN_IN)
    await table.wait_for_phase("PLAYING")
    fallen = table.boards.state.tray_tokens - tray
    table.report.hold("three tokens fell into the tray", fallen == len(SEATS), fallen)
    levels = await table.levels(WIRING.seats)
    table.report.hold("seat LEDs 1, 3, 6 are lit", levels == [1, 0, 1, 0, 0, 1, 0], levels)
    after = await table.status()
    hold_stakes(table, before, after, len(SEATS))


async def lamps_are(table: Table, lamp: Lamp) -> bool:
    """Whether every slot lamp shows this."""
    return set(table.boards.rail.lamps().values()) == {lamp}


def hold_stakes(table: Table, before: Status, after: Status, tokens: int) -> None:
    """Each token of 2.00 has brought 1.40 to the jackpot and 0.20 to the reserve."""
    moved = {
        name: round(float(after["accounts"][name]) - float(before["accounts"][name]), 2)
        for name in ("tray", "jackpot", "reserve", "house")
    }
    due = {"tray": -2.0, "jackpot": 1.4, "reserve": 0.2, "house": 0.4}
    fine = moved == {name: round(share * tokens, 2) for name, share in due.items()}
    table.report.hold(f"{tokens} tokens are in the accounts, once", fine, moved)


async def award(table: Table, _: Random) -> None:
    """FLUSH, key JPL, JPOT, key R: the combination's lamp, the display, and what was paid."""
    await table.press(FLUSH)
    lit = await table.guest.ask({"until": {str(FLUSH_LAMP): 1}, "s": 10})
    table.report.hold("the combination's lamp is lit", lit["met"], f"{lit['ms']} ms")
    await table.turn_key(KeyPosition.JPL)
    await table.wait_until("the key is read at JPL", lambda status: status["key"] == "JPL")
    await table.press(Button.JPOT)
    status = await table.wait_for_phase("AWARDING")
    table.report.hold("an award is pending", status["award"].startswith("FLUSH"), status["award"])

    async def is_shown() -> bool:
        return tuple(line.rstrip() for line in table.boards.display.lines()) == tuple(
            line.rstrip() for line in (await table.status())["display"]
        )

    await table.wait("the display shows it", is_shown, saw=table.boards.display.lines)
    await table.turn_key(KeyPosition.R)
    status = await table.wait_until("it is paid", lambda status: status["award"] == "")
    table.report.hold(
        "paid is on record", float(status["accounts"]["paid"]) > 0, status["accounts"]
    )
