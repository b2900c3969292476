"""Corrections on the line: two cashiers, each with a PIN, or nothing moves."""

import asyncio
from asyncio.subprocess import PIPE
from pathlib import Path

import msgspec
import pytest

from console.line.access.login import PinLogin
from console.line.access.people import Enrolled, load_people, save_people
from console.line.access.pins import Cost, hash_pin
from console.line.act_reporter import ActReporter
from console.line.four_eyes import FourEyes
from console.line.requests import (
    AnyAnswer,
    CorrectAccounts,
    Declare,
    Done,
    Enter,
    LogOut,
    NotDone,
)
from console.rules.codes import Duty
from jackpot.ledger.ledger import read_records
from jackpot.money.accounts import Reason
from tests.console.line.handled_table import HandledTable, open_handled_table
from tests.console.running_table import (
    BANCO,
    ENVIRONMENT,
    configuration,
    running,
)
from tests.console.service.test_table_service import HeldDiskWriter
from tests.console.table import TO_PHASE
from tests.deadlines import DEADLINE_S

ANNA, BEA, CARLO = "314159", "265358", "979323"
WHY = "counted twice on Friday"
ASKED = CorrectAccounts("house", "jackpot", "12.50", WHY)
REALLY = msgspec.structs.replace(ASKED, second="bea", pin=BEA, number=1, really=True)


def enrol(folder: Path) -> None:
    """Anna and Bea are cashiers; Carlo declares."""
    cheap = Cost(n=2, r=1, p=1)
    cashier = (Duty.CASHIER,)
    people = {
        "anna": Enrolled(cashier, hash_pin(ANNA, cheap)),
        "bea": Enrolled(cashier, hash_pin(BEA, cheap)),
        "carlo": Enrolled((Duty.FLOOR_MANAGER,), hash_pin(CARLO, cheap)),
    }
    file = folder / "people.toml"
    save_people(file, {**load_people(file), **people})


def expect_done(answer: AnyAnswer) -> Done:
    assert isinstance(answer, Done), answer
    return answer


def find_corrections(rig: HandledTable) -> list[str]:
    """The identities of all corrections on record."""
    return [
        transaction.identity
        for record in rig.table.records
        for transaction in record.transactions
        if transaction.reason.value == "correction"
    ]


def test_it_is_told_first_then_made_and_the_display_follows(tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        enrol(tmp_path)
        rig.ask_now(Enter("anna", ANNA))
        state = rig.table.state
        would = expect_done(rig.ask_now(ASKED))
        assert rig.table.state == state, "only told so far"
        assert would.accounts == {
            "house": ("-10000.00", "-10012.50"),
            "jackpot": ("10000.00", "10012.50"),
        }
        assert expect_done(rig.ask_now(REALLY)) == would
        rig.play("wait 200ms", "expect display 10.012,50 EUR")
        (record,) = [record for record in rig.table.records if record.kind == "corrected"]
        assert record.body["act"] == {
            "number": 1,
            "source": "house",
            "target": "jackpot",
            "cents": 1250,
            "reason": WHY,
            "who": "anna",
            "second": "bea",
        }
        assert rig.kinds_on_record[-4:] == ["entered", "entered", "corrected", "left"]


def test_the_same_request_again_moves_nothing_twice(tmp_path: Path) -> None:
    """TABLE 10, also over a power cut"""
    with open_handled_table(tmp_path) as rig:
        enrol(tmp_path)
        rig.ask_now(Enter("anna", ANNA))
        expect_done(rig.ask_now(REALLY))
        assert expect_done(rig.ask_now(REALLY)).outcome == "no effect"
        rig.play("power off", "power on")
        rig.ask_now(Enter("anna", ANNA))
        assert expect_done(rig.ask_now(REALLY)).outcome == "no effect"
        assert find_corrections(rig) == ["simulated/correction-1"]
        assert rig.table.state.balances.jackpot_cents == 1_001_250


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"pin": ANNA}, "WRONG_PIN"),
        ({"pin": ""}, "WRONG_PIN"),
        ({"second": "nobody"}, "WRONG_PIN"),
        ({"second": "carlo", "pin": CARLO}, "NOT_YOUR_DUTY"),
        ({"second": " ANNA ", "pin": ANNA}, "WRONG_VALUE"),
        ({"second": ""}, "WRONG_VALUE"),
        ({"number": 0}, "WRONG_VALUE"),
        ({"amount": "-1.00"}, "WRONG_VALUE"),
        ({"amount": "0.00"}, "WRONG_VALUE"),
        ({"amount": "12,50"}, "WRONG_VALUE"),
        ({"amount": "0.005"}, "WRONG_VALUE"),
        ({"source": "cellar"}, "WRONG_VALUE"),
        ({"source": "pending"}, "WRONG_VALUE"),
        ({"target": "paid"}, "WRONG_VALUE"),
        ({"target": "house"}, "WRONG_VALUE"),
        ({"reason": "a slip"}, "WRONG_VALUE"),
        ({"reason": WHY + "\x07"}, "WRONG_VALUE"),
        ({"source": "jackpot", "target": "house", "amount": "10000.01"}, "NOT_COVERED"),
    ],
)
def test_where_anything_is_wrong_nothing_moves(
    wrong: dict[str, str], code: str, tmp_path: Path
) -> None:
    with open_handled_table(tmp_path) as rig:
        enrol(tmp_path)
        rig.ask_now(Enter("anna", ANNA))
        before = rig.table.state.balances
        assert rig.refusal_of(msgspec.structs.replace(REALLY, **wrong)) == code
        assert rig.table.state.balances == before
        assert find_corrections(rig) == []


def test_a_wrong_second_pin_is_on_record_with_its_name(tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        enrol(tmp_path)
        rig.ask_now(Enter("anna", ANNA))
        assert rig.refusal_of(msgspec.structs.replace(REALLY, pin=ANNA)) == "WRONG_PIN"
        rig.play("wait 50ms")
        last = rig.table.records[-1]
        assert (last.kind, last.body["act"]) == (
            "entry-refused",
            {"who": "bea", "wrong": 1, "wait_s": 0, "uid": None},
        )


@pytest.mark.parametrize("request_", [ASKED, REALLY])
def test_only_a_cashier_asks(request_: CorrectAccounts, tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        enrol(tmp_path)
        assert rig.refusal_of(request_) == "NOT_ENTERED"
        rig.ask_now(Enter("carlo", CARLO))
        assert rig.refusal_of(request_) == "NOT_YOUR_DUTY"
        rig.ask_now(Enter("anna", ANNA))
        assert rig.refusal_of(Declare("round-void")) == "NOT_YOUR_DUTY"


@pytest.mark.parametrize(
    ("before", "code"),
    [
        (TO_PHASE["BETTING"], "ALREADY_OPEN"),
        (TO_PHASE["COLLECTING"], "COLLECTING"),
        (TO_PHASE["PLAYING"], "ALREADY_OPEN"),
        (TO_PHASE["AWARDING"], "AWARD_PENDING"),
        (("disk full", "press JPOT"), "LOCKED"),
    ],
)
def test_outside_paused_there_is_none(before: tuple[str, ...], code: str, tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        enrol(tmp_path)
        rig.play(*before)
        rig.enter("anna", Duty.CASHIER)
        assert rig.refusal_of(ASKED) == code
        assert rig.refusal_of(REALLY) == code
        assert find_corrections(rig) == []


def test_who_is_out_when_the_second_pin_has_been_tried_corrects_nothing(tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        enrol(tmp_path)
        disk = HeldDiskWriter()
        disk.held = True
        door = PinLogin(
            tmp_path / "people.toml",
            tmp_path / "wrong",
            disk,
            lambda: 1,
            rig.table.machine.loop.call_later,
        )
        service = rig.table.simulated_table.service
        eyes = FourEyes(ActReporter(service), door)
        rig.enter("anna", Duty.CASHIER)
        asked = rig.begin(eyes.correct(rig.session, REALLY, lambda: True))
        rig.play("wait 1s")
        rig.ask_now(LogOut())
        disk.held = False
        disk.go_on()
        with pytest.raises(NotDone, match="NOT_ENTERED"):
            rig.wait_for(asked)
        rig.play("wait 50ms")
        assert find_corrections(rig) == []
        assert rig.kinds_on_record[-3:] == ["left", "entered", "left"]


async def run_correct(file: Path, *typed: str) -> tuple[int, str, str]:
    """`banco ledger correct`: its exit status, what it says, what it complains of."""
    names = ("--as", "anna", "--and", "bea", "--language", "en", "--config", str(file))
    words = ("ledger", "correct", "house", "jackpot", "12.50", "--reason", WHY, *names)
    process = await asyncio.create_subprocess_exec(
        *BANCO, *words, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=ENVIRONMENT
    )
    async with asyncio.timeout(DEADLINE_S):
        output, complaints = await process.communicate(
            "".join(f"{one}\n" for one in typed).encode()
        )
    assert process.returncode is not None
    return process.returncode, output.decode(), complaints.decode()


def test_two_cashiers_correct_a_running_table_by_command(tmp_path: Path) -> None:
    save_people(tmp_path / "people.toml", {})
    enrol(tmp_path)
    file = configuration(tmp_path / "table.toml")

    async def night() -> None:
        assert (await run_correct(file, ANNA, "y", BEA))[0] == 2, "no service, no correction"
        async with running(tmp_path, "--sim", "--config", file):
            status, output, complaints = await run_correct(file, ANNA, "n", BEA)
            assert (status, complaints) == (1, "Nothing was done.\n")
            assert "10000.00 -> 10012.50" in output
            status, _, complaints = await run_correct(file, ANNA, "y", ANNA)
            assert (status, complaints.split(":")[0]) == (1, "WRONG_PIN")
            status, output, _ = await run_correct(file, ANNA, "y", BEA)
            assert (status, output.count("10000.00 -> 10012.50")) == (0, 2)
            assert "Done, it is on record." in output

    asyncio.run(night())
    money = [
        (transaction.identity, transaction.reason)
        for record in read_records(tmp_path / "ledger")
        for transaction in record.transactions
    ]
    assert money[1:] == [("cs-1/correction-1", Reason.CORRECTION)]
