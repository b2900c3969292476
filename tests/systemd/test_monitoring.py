"""systemd/monitoring/: each of the twelve alarms is raised by its cause, and by nothing else."""

import json
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from console.link import alarms
from console.link.alarms import CentreAlarm

FOLDER = Path(__file__).parents[2] / "systemd/monitoring"
RULES = FOLDER / "rules.yml"
STEPS = 24
"""Of 5 s: two minutes."""

AT = "1m"
"""The longest alarm waits for 15 s."""

DAY_S = 86_400
WELL: Mapping[str, str] = {
    'banco_server_takes_writes{instance="db1"}': "1",
    'banco_server_takes_writes{instance="db2"}': "0",
    'banco_server_alone{instance="db1"}': "0",
    'banco_server_alone{instance="db2"}': "1",  # a standby's own list counts once it is promoted
    'banco_server_waits_seconds{instance="db1"}': "5",
    'banco_server_lag_seconds{instance="db1"}': "10",
    'pg_stat_replication_pg_wal_lsn_diff{instance="db1",state="streaming"}': "0",
    'banco_slot_left_bytes{instance="db1",slot="db2"}': "2147483648",
    'pg_stat_archiver_failed_count{instance="db1"}': "3",
    'banco_observation_value{instance="db1",kind="backup",subject="centre"}': "0",
    'banco_observation_value{instance="db1",kind="audit",subject=""}': "0",
    'banco_observation_value{instance="db1",kind="certificate",subject="table-3"}': "5190000",
    'node_filesystem_avail_bytes{instance="db1",mountpoint="/",fstype="ext4"}': "15",
    'node_filesystem_size_bytes{instance="db1",mountpoint="/",fstype="ext4"}': "100",
    'banco_table_unheard_seconds{instance="db1",table="table-3"}': "60",
    'banco_table_outbox{instance="db1",table="table-3"}': "20",
    'banco_table_unbooked{instance="db1",table="table-3"}': "20",
    'banco_table_barred{instance="db1",table="table-3"}': "0",
    'banco_table_tokens{instance="db1",table="table-3"}': "28",
    'banco_table_pin_guessed{instance="db1",table="table-3"}': "0",
    'banco_hold_age_seconds{instance="db1",table="table-3"}': "180",
}
"""Every figure at the limit that it may have."""

CAUSES = [
    ("primaries", "banco_server_takes_writes{instance='db1'}", "0"),
    ("standbys", "pg_stat_replication_pg_wal_lsn_diff", None),
    ("alone", "banco_server_alone{instance='db1'}", "1"),
    ("waits", "banco_server_waits_seconds", "6"),
    ("lag", "banco_server_lag_seconds", "11"),
    ("slots", "banco_slot_left_bytes", "2147483647"),
    ("archive", "pg_stat_archiver_failed_count", "3+1"),
    ("backup", "banco_observation_value{instance='db1',kind='backup'", "-100000"),
    ("backup", "banco_observation_value{instance='db1',kind='backup'", None),
    ("disk", "node_filesystem_avail_bytes", "14"),
    ("certificates", "banco_observation_value{instance='db1',kind='certificate'", "5180000"),
    ("certificates", "banco_observation_value{instance='db1',kind='certificate'", "1200000"),
    ("tables", "banco_table_unheard_seconds", "61"),
    ("tables", "banco_table_outbox", "21"),
    ("tables", "banco_table_unbooked", "21"),
    ("tables", "banco_table_barred", "1"),
    ("tables", "banco_table_tokens", "29"),
    ("tables", "banco_table_pin_guessed", "1"),
    ("audit", "banco_observation_value{instance='db1',kind='audit'", "-100000"),
    ("audit", "banco_observation_value{instance='db1',kind='audit'", None),
    ("audit", "banco_hold_age_seconds", "181"),
]
"""The alarm, the series that changes, and its new value; None: it is gone."""


def write_series(series: Mapping[str, str]) -> list[dict[str, str]]:
    """As promtool reads them: the same value at each step, or one more."""
    return [
        {"series": name, "values": f"{value}{'' if '+' in value else '+0'}x{STEPS}"}
        for name, value in series.items()
    ]


def raise_alarms(folder: Path, series: Mapping[str, str], expected: set[str]) -> None:
    """Let promtool look which alarms stand. Raises CalledProcessError if others do."""
    samples = [{"labels": f'{{alertname="{name}"}}', "value": 1} for name in sorted(expected)]
    test = {
        "interval": "5s",
        "input_series": write_series(series),
        "promql_expr_test": [
            {
                "expr": 'group by (alertname) (ALERTS{alertstate="firing"})',
                "eval_time": AT,
                "exp_samples": samples,
            }
        ],
    }
    file = folder / "test.yml"
    content = {"rule_files": [str(RULES)], "evaluation_interval": "5s", "tests": [test]}
    file.write_text(json.dumps(content), "utf-8")
    done = subprocess.run(
        ["promtool", "test", "rules", file], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_while_all_is_well_nothing_is_raised(tmp_path: Path) -> None:
    raise_alarms(tmp_path, WELL, set())


@pytest.mark.parametrize(("alarm", "name", "value"), CAUSES)
def test_each_alarm_is_raised_by_its_cause_alone(
    tmp_path: Path, alarm: str, name: str, value: str | None
) -> None:
    (series,) = [one for one in WELL if one.startswith(name.replace("'", '"'))]
    others = {one: figure for one, figure in WELL.items() if one != series}
    raise_alarms(tmp_path, others | ({} if value is None else {series: value}), {alarm})


def test_the_rules_are_the_twelve_with_the_limits_that_are_declared_once() -> None:
    rules = RULES.read_text("utf-8")
    names = re.findall(r"- alert: (\S+)", rules)
    assert list(dict.fromkeys(names)) == [one.value for one in CentreAlarm]
    limits = {
        f"waits_seconds > {alarms.WAIT_ALARM_S}",
        f"lag_seconds > {alarms.LAG_ALARM_S}",
        f"left_bytes < {alarms.SLOT_ALARM_BYTES // 1024**3} * 1024 ^ 3",
        f"> {alarms.NIGHTLY_ALARM_S // 3600} * 3600",
        f"size_bytes < {alarms.DISK_ALARM_PERCENT}",
        f"time() < {alarms.CERTIFICATE_ALARM_DAYS} * {DAY_S}",
        f"time() < {alarms.CERTIFICATE_WARNING_DAYS} * {DAY_S}",
        f"unheard_seconds > {alarms.LOST_ALARM_S}",
        f"outbox > {alarms.OUTBOX_ALARM}",
        f"unbooked > {alarms.OUTBOX_ALARM}",
        f"tokens > {alarms.TOKENS_ALARM}",
        f"age_seconds) > {alarms.HOLD_ALARM_S}",
    }
    assert not [limit for limit in limits if limit not in rules]


def test_the_dashboard_asks_first_whether_tables_may_play() -> None:
    dashboard = json.loads((FOLDER / "dashboard.json").read_text("utf-8"))
    first, *others = dashboard["panels"]
    assert first["title"] == "May tables play?"
    titles = {panel["title"] for panel in others}
    assert titles >= {one.value for one in CentreAlarm}
