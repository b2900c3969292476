"""Who has entered on the supervisor's page, by a clock moved by hand."""

from dataclasses import dataclass, field

from console.line.access.login import EnteredPerson
from console.rules.codes import Duty
from console.web.serving.entrance.login import (
    IDLE_S,
    LONGEST_S,
    MOST_OF_ONE_PERSON,
    Sessions,
)


def technician(name: str) -> EnteredPerson:
    """Somebody whose PIN was right."""
    return EnteredPerson(name, (Duty.TECHNICIAN,), 0, name)


@dataclass
class SessionsRig:
    """Sessions, their clock, and the sign of the file of people."""

    now: float = 1_000.0
    people: str = "1 2 3"
    sessions: Sessions = field(init=False)

    def __post_init__(self) -> None:
        self.sessions = Sessions(lambda: self.now, lambda: self.people)

    def begin(self, name: str = "anna") -> str:
        token, session = self.sessions.begin(technician(name), self.people)
        assert session.name == name
        return token

    def is_open(self, token: str, *, using: bool = False) -> bool:
        return self.sessions.find(token, using=using) is not None


def test_a_token_is_256_bits_and_no_two_are_alike() -> None:
    room = SessionsRig()
    tokens = {room.begin() for _ in range(MOST_OF_ONE_PERSON)}
    assert len(tokens) == MOST_OF_ONE_PERSON
    assert {len(token) for token in tokens} == {43}  # 32 bytes in base 64


def test_no_other_token_finds_a_session() -> None:
    room = SessionsRig()
    token = room.begin()
    for wrong in ("", token[:-1], token + "A", token.swapcase(), "\ud800", "x" * 100_000):
        assert not room.is_open(wrong)
    assert room.is_open(token)


def test_it_ends_ten_minutes_after_it_was_used_last() -> None:
    room = SessionsRig()
    token = room.begin()
    room.now += IDLE_S - 1
    assert room.is_open(token, using=True)
    room.now += IDLE_S - 1
    assert room.is_open(token)
    room.now += 1
    assert not room.is_open(token)
    room.now -= 1
    assert not room.is_open(token)  # it has ended for good


def test_a_page_that_looks_by_itself_keeps_nobody_in() -> None:
    room = SessionsRig()
    token = room.begin()
    for _ in range(IDLE_S):
        assert room.is_open(token, using=False)
        room.now += 1
    assert not room.is_open(token)


def test_it_ends_after_eight_hours_however_it_is_used() -> None:
    room = SessionsRig()
    token = room.begin()
    for _ in range(LONGEST_S // 60):
        assert room.is_open(token, using=True)
        room.now += 60
    assert not room.is_open(token, using=True)


def test_whoever_leaves_has_left() -> None:
    room = SessionsRig()
    token, other = room.begin(), room.begin()
    ended = room.sessions.end(token)
    assert ended is not None
    assert not room.is_open(token)
    assert room.is_open(other)
    assert room.sessions.end(token) is None


def test_of_too_many_of_one_person_the_one_unused_for_longest_ends() -> None:
    room = SessionsRig()
    tokens = []
    for _ in range(MOST_OF_ONE_PERSON):
        tokens.append(room.begin())
        room.now += 1
    assert room.is_open(tokens[0], using=True)
    room.now += 1
    room.begin()
    assert len(room.sessions) == MOST_OF_ONE_PERSON
    assert room.is_open(tokens[0])
    assert not room.is_open(tokens[1])


def test_who_enters_again_and_again_ends_nobody_elses_session() -> None:
    """64 logins of one person ended every other session"""
    room = SessionsRig()
    others = {name: room.begin(name) for name in ("berta", "carlo")}
    room.now += 1
    mine = [room.begin() for _ in range(64)]
    assert all(map(room.is_open, others.values()))
    assert [room.is_open(one) for one in mine].count(True) == MOST_OF_ONE_PERSON
    assert len(room.sessions) == MOST_OF_ONE_PERSON + len(others)


def test_those_that_have_ended_make_room_first() -> None:
    room = SessionsRig()
    room.begin("old")
    room.now += IDLE_S
    tokens = [room.begin() for _ in range(MOST_OF_ONE_PERSON)]
    assert all(map(room.is_open, tokens))


def test_all_end_when_the_list_of_people_has_changed() -> None:
    """Who is no longer enrolled, or has a new PIN, is not in by an old one"""
    room = SessionsRig()
    token = room.begin()
    room.people = "1 2 4"
    assert not room.is_open(token)
    assert room.is_open(room.begin())
    room.people = ""
    assert len(room.sessions) == 0


def test_a_session_of_a_pin_read_before_the_list_changed_is_over_at_once() -> None:
    room = SessionsRig()
    read = room.people
    room.people = "1 2 4"
    token, _ = room.sessions.begin(technician("anna"), read)
    assert not room.is_open(token)
