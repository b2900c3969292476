"""The desk: what it tells, what it does for whom, what it refuses."""

from pathlib import Path

from console.codes import Duty, Fault
from console.drive import Drive
from console.local_line.requests import (
    AskStatus,
    ClearFault,
    Declare,
    Done,
    DriveOutputs,
    No,
    Status,
)
from devices.roles import Lamp
from tests.console.local_line.desk_table import desk_in
from tests.console.table import TO_PHASE


def test_the_status_is_the_table_as_it_stands(tmp_path: Path) -> None:
    with desk_in(tmp_path) as rig:
        rig.play(*TO_PHASE["AWARDING"])
        told = rig.asked(AskStatus())
        assert isinstance(told, Status)
        assert (told.phase, told.key, told.round) == ("AWARDING", "JPL", 1)
        assert told.seats == {"1": "accepted", "2": "accepted"}
        assert (told.choice, told.award) == ("FLUSH", "FLUSH x1 100.02")
        assert told.accounts["pending"] == "100.02"
        assert told.links == {"panel": True, "rail": True, "display": True, "shuffler": True}


def test_a_declaration_is_shown_first_and_then_done(tmp_path: Path) -> None:
    with desk_in(tmp_path) as rig:
        rig.play(*TO_PHASE["PLAYING"])
        rig.enter("bianchi", Duty.FLOOR_MANAGER)
        before = len(rig.table.records)
        shown = rig.asked(Declare("hand-void 2 returned"))
        assert len(rig.table.records) == before
        done = rig.asked(Declare("hand-void 2 returned", really=True))
        assert shown == done
        assert isinstance(done, Done)
        assert done.accounts["jackpot"] == ("10002.80", "10001.40")
        assert rig.table.records[-1].body["act"] == {"seat": 2, "returned": True, "who": "bianchi"}
        assert rig.asked(ClearFault(Fault.TRAY_COUNT)) == No(
            "NOT_YOUR_DUTY", "bianchi is not enrolled as technician"
        )


def test_outputs_are_driven_with_the_key_at_s_alone(tmp_path: Path) -> None:
    with desk_in(tmp_path) as rig:
        rig.enter()
        drive = Drive(slots=(Lamp.ON, *(Lamp.DARK,) * 6))
        refused = rig.asked(DriveOutputs(drive))
        assert isinstance(refused, No)
        assert refused.code == "NOT_IN_SERVICE"
        rig.play("key S")
        assert isinstance(rig.asked(DriveOutputs(drive)), Done)
        rig.play("expect slots 1")
