"""The line in memory: plugged, unplugged, bounded, faulty in a way that can be repeated."""

from firmware_bridge.memory_line import LONGEST_QUEUE, WireFaults
from tests.firmware_bridge.board_session.rig import Rig
from tests.firmware_bridge.line_users import RecordingUser


def open_line(rig: Rig) -> tuple[RecordingUser, list[bytes]]:
    """The host's user and what the device hears, once the line is up."""
    user, heard = RecordingUser(), list[bytes]()
    rig.board.power_off()
    rig.end.on_received = heard.append
    rig.line.start(user)
    rig.run_for(0.01)
    return user, heard


def test_bytes_pass_both_ways_and_never_at_once(idle_rig: Rig) -> None:
    user, heard = open_line(idle_rig)
    assert idle_rig.line.send(b"down")
    idle_rig.end.send(b"up")
    assert (user.data, heard) == (b"", [])
    idle_rig.run_for(0)
    assert (user.data, heard) == (b"up", [b"down"])


def test_what_is_under_way_is_lost_with_the_plug(idle_rig: Rig) -> None:
    user, heard = open_line(idle_rig)
    idle_rig.line.send(b"down")
    idle_rig.end.send(b"up")
    idle_rig.end.unplug()
    assert not idle_rig.line.send(b"x")
    idle_rig.end.plug()
    idle_rig.run_for(1)
    assert (user.data, heard) == (b"", [])
    assert user.reports == ["up", "down: unplugged", "up"]


def test_a_line_that_was_not_plugged_comes_up_later(idle_rig: Rig) -> None:
    idle_rig.end.unplug()
    user, _ = open_line(idle_rig)
    assert user.reports == ["down: unplugged"]
    idle_rig.end.plug()
    idle_rig.run_for(0.2)
    assert user.reports[1:] == ["up"]


def test_a_dropped_line_is_sought_again_and_a_closed_one_is_not(idle_rig: Rig) -> None:
    user, _ = open_line(idle_rig)
    idle_rig.line.drop("silent")
    idle_rig.run_for(0.2)
    assert user.reports == ["up", "down: silent", "up"]
    idle_rig.line.drop("silent")
    idle_rig.line.close()
    idle_rig.run_for(1)
    assert user.reports == ["up", "down: silent", "up"]


def test_the_wire_holds_so_much_and_no_more(idle_rig: Rig) -> None:
    user, _ = open_line(idle_rig)
    assert idle_rig.line.send(bytes(LONGEST_QUEUE))
    assert not idle_rig.line.send(b"x")
    idle_rig.end.send(b"y" * LONGEST_QUEUE)
    idle_rig.end.send(b"lost")
    idle_rig.run_for(0)
    assert len(user.data) == LONGEST_QUEUE
    assert idle_rig.line.send(b"x")


def test_faults_repeat_themselves_for_a_seed() -> None:
    def carry() -> list[list[bytes]]:
        faults = WireFaults(drop=0.3, repeat=0.3, cut=0.3, garbage=0.3, seed=5)
        return [faults.apply(b"abcdef") for _ in range(50)]

    assert carry() == carry()
    assert [] in carry()
    assert [b"abcdef"] in carry()
    assert [b"abcdefabcdef"] in carry()


def test_byte_at_a_time() -> None:
    assert WireFaults(byte_at_a_time=True).apply(b"abc") == [b"a", b"b", b"c"]
