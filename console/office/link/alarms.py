"""What somebody must see to, for a person who asks at the command line."""

from console.database.connect import DatabaseConnection
from console.link.centre.room_reading import read_replication, read_room
from console.link.overview.alarm_words import write_alarm
from console.link.overview.alarms import AlarmCode, RoomAlarm
from console.link.overview.describe import describe_room
from console.link.overview.room_state import RoomState


def read_alarms(connection: DatabaseConnection) -> tuple[RoomAlarm, ...]:
    """The room's own, as the primary tells them at this instant. Raises psycopg.Error."""
    state = RoomState(0.0)
    state.take_copies(read_replication(connection), 0.0, 0.0)
    state.take_room(read_room(connection), 0.0)
    return describe_room(state, 0.0).alarms


def render_alarms(alarms: tuple[RoomAlarm, ...]) -> list[str]:
    """Each as a line; that the server answers alone the status says first of all."""
    return [
        f"alarm, {one.code.alarm.value}: {write_alarm(one)}"
        for one in alarms
        if one.code is not AlarmCode.ALONE
    ]
