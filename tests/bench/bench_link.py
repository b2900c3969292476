"""The centre of docs/reference/link-rules.md, section 8: a primary and a synchronous standby on
this disk.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import median

from psycopg import Connection, sql

from console.database.connect import connect_to
from console.simulation.room.postgres_server import ServerPair
from tests.bench.contenders import ROOT, Contender, alternately, column, running
from tests.bench.figures import Figure, Goal, percentile, ratio
from tests.bench.link_load import (
    CLIENTS,
    RAW_TABLES,
    Load,
    name_desks,
    write_beats,
    write_raw_rounds,
    write_raw_stakes,
    write_rounds,
)
from tests.bench.rig import PLAN
from tests.console.link.crowd import BEAT, Crowd, Joining, Played, Playing, run_crowd
from tests.console.link.failover.dead_primary import kill_primary, kill_primary_in_crowd
from tests.console.link.failover.linked_house import name_members, run_linked_house
from tests.console.link.light_member import LightMember

TABLES = 40
ALL_TABLES = 1_000
TIMES = 3
SECONDS = 8
COIN_IN = Playing(seconds=20, round_s=4, beat_s=1, seed=1)
A_ROUND_A_MINUTE = Playing(seconds=40, round_s=60, beat_s=4, seed=1)
TEN_TIMES_THE_NEED = {"rounds": 170.0, "beats": 2_500.0}
EDGES = 7
PACED = {"presses": 60, "pause_ms": 6}
TOKENS_BEFORE = 20
SEED = 1

CONNECTIONS = {"max_connections": str(ALL_TABLES + 2 * CLIENTS + 20)}


def measure() -> Iterator[Figure]:
    """An edge at a linked table; the centre's load; how long tables wait for a promotion."""
    with run_linked_house([PLAN.table], on=ROOT / ".venv") as pair:
        yield measure_edge(pair)
    tables = name_members(ALL_TABLES)
    with run_linked_house([*tables, *name_desks()], CONNECTIONS, ROOT / ".venv") as pair:
        shares = (tables[:TABLES], tables[TABLES::2], tables[TABLES + 1 :: 2])
        with run_crowd(shares, (pair.primary.port,)) as crowd:
            yield from measure_centre(pair, crowd)
    for members, figures in (
        (TABLES, kill_primary(TABLES, TOKENS_BEFORE, Random(SEED))),
        (ALL_TABLES, kill_primary_in_crowd(ALL_TABLES, Random(SEED))),
    ):
        yield _promotion(members, figures)


def measure_edge(pair: ServerPair) -> Figure:
    """GAME OVER and COIN IN without a token, at a table with a courier and at one without."""
    with running(
        linked=Contender("table_edge", "5", str(pair.primary.port)),
        unlinked=Contender("table_edge", "5"),
    ) as contenders:
        answers = alternately(contenders, EDGES, **PACED)
    linked, unlinked = (column(answers[name], "processor_us") for name in ("linked", "unlinked"))
    return Figure(
        "link.edge.processor",
        median(linked),
        "us per press and release",
        Goal(1.1, "unlinked"),
        {"unlinked": median(unlinked)},
        {"unlinked": ratio(linked, unlinked)},
    )


def measure_centre(pair: ServerPair, crowd: Crowd) -> Iterator[Figure]:
    """All tables have joined; then one thing after the other is asked."""
    with connect_to(pair.primary.dsn()) as connection:
        let_idle(connection, name_members(ALL_TABLES))
    crowd.tell(Joining(opens=False))
    for name in name_desks():
        join_member(LightMember(name, (pair.primary.port,)))
    with connect_to(pair.primary.dsn()) as connection:
        connection.execute(RAW_TABLES.encode())
    load = Load(pair.primary, Path(pair.primary.folder).with_name("load"))
    yield from measure_rounds(load)
    goal = Goal(TEN_TIMES_THE_NEED["beats"], at_least=True)
    yield Figure("link.beats", load.run(write_beats(), SECONDS), "a second", goal)
    yield from measure_coin_in(crowd.play(COIN_IN, 0))
    played = crowd.play(A_ROUND_A_MINUTE)
    yield from measure_thousand(played, crowd.play(replace(A_ROUND_A_MINUTE, rows=True)))


def let_idle(connection: Connection, names: Sequence[str]) -> None:
    """Their sessions wait between the measurements without a beat, and must not end."""
    for name in names:
        role = sql.Identifier(name)
        connection.execute(sql.SQL("ALTER ROLE {} SET idle_session_timeout = 0").format(role))


def join_member(member: LightMember) -> None:
    """It has joined, and pgbench goes on in its place."""
    member.ask(member.join)
    assert member.send(), f"{member.name} was not answered"
    member.close()


def measure_rounds(load: Load) -> Iterator[Figure]:
    """Whole rounds with seven tokens, and the delivery in them, beside the same bare rows."""
    scripts = {
        "raw": write_raw_rounds(),
        "ours": write_rounds(),
        "ours without stakes": write_rounds(with_stakes=False),
        "raw stakes": write_raw_stakes(),
    }
    rates: dict[str, list[float]] = {name: [] for name in scripts}
    for _ in range(TIMES):
        for name, script in scripts.items():
            rates[name].append(load.run(script, SECONDS))
    ours, raw = rates["ours"], rates["raw"]
    yield Figure(
        "link.rounds",
        median(ours),
        "a second",
        Goal(TEN_TIMES_THE_NEED["rounds"], at_least=True),
        {"raw": median(raw)},
        {"raw": ratio(ours, raw)},
        {"clients": CLIENTS, "members": ALL_TABLES + CLIENTS},
    )
    stakes = [rate_of_stakes(*of) for of in zip(ours, rates["ours without stakes"], strict=True)]
    rows = rates["raw stakes"]
    yield Figure(
        "link.stakes",
        median(stakes),
        "a second",
        Goal(0.5, "raw", at_least=True),
        {"raw": median(rows)},
        {"raw": ratio(stakes, rows)},
    )


def rate_of_stakes(whole: float, without: float) -> float:
    """Deliveries a second, had a round nothing else: by the time that each adds to a round."""
    return 1 / (1 / whole - 1 / without)


def measure_coin_in(played: list[Played]) -> Iterator[Figure]:
    """COIN IN with 40 tables, 15 times as often as at a table."""
    answered = [ms for one in played for ms in one.latencies["open"]]
    more = {"p99": percentile(answered, 99), "calls": len(answered)}
    yield Figure("link.coin_in.p50", percentile(answered, 50), "ms", Goal(10), more=more)
    yield Figure("link.coin_in.slowest", max(answered), "ms", Goal(1_000))


def measure_thousand(played: list[Played], rows: list[Played]) -> Iterator[Figure]:
    """1,000 tables, a round a minute; then bare rows, as many and by the same tables."""
    all_ms, raw = gather_latencies(played), gather_latencies(rows)
    beats = [ms for one in played for ms in one.latencies[BEAT]]
    for percent, goal in ((50, Goal(25)), (99, Goal(3, "raw_row"))):
        ours, theirs = percentile(all_ms, percent), percentile(raw, percent)
        yield Figure(
            f"link.thousand.p{percent}",
            ours,
            "ms",
            goal,
            {"raw_row": theirs},
            {"raw_row": ours / theirs},
            {"calls": len(all_ms), "beats": len(beats), "of_beats": percentile(beats, percent)},
        )


def gather_latencies(played: list[Played]) -> list[float]:
    """Those of all calls and beats, in milliseconds."""
    return [ms for one in played for each in one.latencies.values() for ms in each]


def _promotion(members: int, figures: dict[str, float]) -> Figure:
    goal = Goal(2 if members == TABLES else 15)
    more = {what: round(seconds, 2) for what, seconds in figures.items()}
    value = figures["all answered after s"]
    return Figure(f"link.answered_again.{members}", value, "s", goal, more=more)
