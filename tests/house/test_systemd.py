"""The unit, the user and the device names hold what the table's rules ask of them."""

import re
import subprocess
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from console.command_line.main import make_parser
from console.configuration.addresses import HOST, PORT
from console.configuration.places import PAGES_SOCKET, RUNTIME_FOLDER
from console.service.counterparts import CLOSED_WITHIN_S, COMPARED_WITHIN_S
from console.service.disk_thread import DEADLINE_S
from console.service.second_look import HEARD_WITHIN_S
from console.service.supervision.main_loop import RESTART
from tests.house.sources import ROOT

RULES = (ROOT / "systemd/99-banco.rules").read_text("utf-8")


OWN_FOLDERS = ("StateDirectory", "RuntimeDirectory", "ConfigurationDirectory", "LogsDirectory")
"""These give a folder to the unit's own user and group."""

Unit = dict[str, dict[str, list[str]]]

HARDENED = {
    "NoNewPrivileges": ["yes"],
    "CapabilityBoundingSet": [""],
    "ProtectSystem": ["strict"],
    "ProtectHome": ["yes"],
    "PrivateTmp": ["yes"],
    "PrivateNetwork": ["yes"],
    "RestrictAddressFamilies": ["AF_UNIX"],
    "IPAddressDeny": ["any"],
    "DevicePolicy": ["closed"],
    "ProtectClock": ["yes"],
    "ProtectControlGroups": ["yes"],
    "ProtectHostname": ["yes"],
    "ProtectKernelLogs": ["yes"],
    "ProtectKernelModules": ["yes"],
    "ProtectKernelTunables": ["yes"],
    "ProtectProc": ["invisible"],
    "LockPersonality": ["yes"],
    "RestrictNamespaces": ["yes"],
    "RestrictRealtime": ["yes"],
    "RestrictSUIDSGID": ["yes"],
    "SystemCallArchitectures": ["native"],
    "SystemCallFilter": ["@system-service", "~@privileged @resources"],
    "MemoryDenyWriteExecute": ["yes"],
    "PrivateMounts": ["yes"],
    "RemoveIPC": ["yes"],
    "LimitCORE": ["0"],
}
"""What each unit of ours forbids itself."""


def unit(name: str = "banco.service") -> Unit:
    """Each section's settings with all their values in order: a unit may repeat a key."""
    sections: dict[str, dict[str, list[str]]] = {}
    settings: dict[str, list[str]] = {}
    for line in (ROOT / "systemd" / name).read_text("utf-8").splitlines():
        if line.startswith("["):
            settings = sections.setdefault(line.strip("[]"), {})
        elif line and not line.startswith("#"):
            key, _, value = line.partition("=")
            settings.setdefault(key, []).append(value)
    return sections


def is_set(name: str = "banco.service", **expected: str) -> None:
    service = unit(name)["Service"]
    assert {key: service.get(key) for key in expected} == {k: [v] for k, v in expected.items()}


def test_a_table_that_falls_is_started_again_however_often() -> None:
    """Ready within 2 s of its start (docs/reference/rules.md 7); a start limit would leave it
    dark.
    """
    assert unit()["Unit"]["StartLimitIntervalSec"] == ["0"]
    assert unit()["Install"]["WantedBy"] == ["multi-user.target"]
    is_set(Restart="on-failure", RestartSec="1")


def test_a_restart_asked_for_on_the_line_is_no_failure() -> None:
    is_set(SuccessExitStatus=str(RESTART), RestartForceExitStatus=str(RESTART))


def test_a_hung_table_is_noticed() -> None:
    is_set(Type="notify", NotifyAccess="main", WatchdogSec="10", LimitCORE="0")


def test_a_table_that_gives_its_disk_up_has_the_time_to_lock() -> None:
    """It was fed a third of the time before at the latest; the lock may take as long as the disk"""
    (watchdog,) = unit()["Service"]["WatchdogSec"]
    assert int(watchdog) / 3 + DEADLINE_S + 1 < int(watchdog)


def test_a_table_that_ends_in_good_order_has_the_time_to() -> None:
    """The ledger, the lock, the witnesses and the second look, one after another"""
    (stop,) = unit()["Service"]["TimeoutStopSec"]
    assert int(stop) > 2 * DEADLINE_S + 2 * CLOSED_WITHIN_S + 1


def test_a_technician_who_clears_a_corrupt_ledger_is_not_taken_for_a_hung_table() -> None:
    """Whatever is waited for at a clearing, and the disk needs some time besides"""
    assert HEARD_WITHIN_S + COMPARED_WITHIN_S + 1 < DEADLINE_S


def test_it_runs_the_installed_command_as_its_own_user() -> None:
    is_set(
        ExecStart="/opt/banco/bin/banco run --config /etc/banco/table.toml",
        User="banco",
        SupplementaryGroups="banco-devices gpio",
    )


def test_the_ledger_is_where_the_service_may_write_and_nothing_else_is() -> None:
    is_set(ReadWritePaths="/var/lib/banco /run/banco /run/banco-web")
    is_set(ProtectSystem="strict", ProtectHome="yes", PrivateTmp="yes", NoNewPrivileges="yes")
    assert [key for key in OWN_FOLDERS if key in unit()["Service"]] == []
    assert unit()["Unit"]["RequiresMountsFor"] == ["/var/lib/banco"]


def test_it_reaches_pins_and_lines_but_no_network() -> None:
    is_set(DevicePolicy="closed", PrivateNetwork="yes", RestrictAddressFamilies="AF_UNIX")
    allowed = set(unit()["Service"]["DeviceAllow"])
    assert allowed == {
        "/dev/gpiomem rw",
        *(f"char-{kind} rw" for kind in ("gpiochip", "ttyUSB", "ttyACM")),
    }


@pytest.mark.parametrize("name", ["banco.service", "banco-line.service", "banco-web.service"])
def test_a_service_may_do_what_it_must_and_nothing_else(name: str) -> None:
    service = unit(name)["Service"]
    assert {key: service.get(key) for key in HARDENED} == HARDENED


PORT_DRIVERS = "modprobe@usbserial.service modprobe@cdc_acm.service"
"""The modules that register ttyUSB and ttyACM, whichever adapter's driver comes after them."""


def test_ports_are_allowed_though_their_adapters_come_later() -> None:
    """systemd looks char-ttyUSB up once, at the start, and leaves out what is not there yet"""
    section = unit()["Unit"]
    assert (section["Wants"], section["After"]) == ([PORT_DRIVERS], [PORT_DRIVERS])
    for kind in ("ttyUSB", "ttyACM"):
        assert f"char-{kind} rw" in unit()["Service"]["DeviceAllow"]


# The technician's line


LINE = "banco-line.service"


def test_the_line_is_there_when_the_table_is_dead() -> None:
    """A technician comes because the table's service does not run: nothing ties the line to it."""
    section = unit(LINE)["Unit"]
    tied = ("Requires", "Requisite", "BindsTo", "PartOf", "Upholds", "Conflicts", "Wants")
    assert [key for key in tied if key in section] == []
    assert section["StartLimitIntervalSec"] == ["0"]
    assert unit(LINE)["Install"]["WantedBy"] == ["multi-user.target"]
    is_set(LINE, Restart="always", Type="notify", NotifyAccess="main")


def test_the_line_serves_the_diagnostics_port_as_the_command_understands_it() -> None:
    (command,) = unit(LINE)["Service"]["ExecStart"]
    program, *words = command.split()
    assert program == "/opt/banco/bin/banco"
    options = make_parser().parse_args(words)
    assert (options.port, options.baud) == ("/dev/table/diagnostics", 115200)
    assert options.config == Path("/etc/banco/table.toml")
    is_set(LINE, DeviceAllow="/dev/table/diagnostics rw")


def test_the_diagnostics_port_has_a_group_of_its_own() -> None:
    """The last rule counts; whichever line has given the port its name."""
    groups = re.findall(r'^TAG=="banco",(.*) GROUP="([^"]+)"', RULES, re.MULTILINE)
    assert groups == [
        ("", "banco-devices"),
        (' SYMLINK=="table/diagnostics",', "banco-diagnostics"),
    ]
    table, line = (unit(name)["Service"]["SupplementaryGroups"] for name in ("banco.service", LINE))
    assert ("banco-devices" in table[0], "banco-diagnostics" in table[0]) == (True, False)
    assert ("banco-devices" in line[0], "banco-diagnostics" in line[0]) == (False, True)


def test_the_table_goes_before_the_line() -> None:
    line, table = unit(LINE)["Service"], unit()["Service"]
    assert int(line["Nice"][0]) > int(table["Nice"][0])
    for weight in ("CPUWeight", "IOWeight"):
        assert int(line[weight][0]) * 10 < int(table[weight][0])
    assert int(line["OOMScoreAdjust"][0]) > int(table["OOMScoreAdjust"][0])
    is_set(LINE, User="banco-line", CPUQuota="50%")
    is_set(LINE, SupplementaryGroups="banco-diagnostics systemd-journal banco-ledger")


@pytest.mark.parametrize("name", ["banco-line.service", "banco-web.service"])
def test_the_line_and_the_pages_write_nowhere(name: str) -> None:
    service = unit(name)["Service"]
    assert [key for key in ("ReadWritePaths", *OWN_FOLDERS) if key in service] == []


# Metrics


def test_metrics_open_the_loopback_and_no_other_address() -> None:
    assert unit("metrics.conf") == {
        "Service": {
            "PrivateNetwork": ["no"],
            "RestrictAddressFamilies": ["AF_INET"],
            "IPAddressAllow": ["127.0.0.1"],
        }
    }
    is_set(IPAddressDeny="any")  # what is allowed beside it is an exception to this


# Pages


WEB = "banco-web.service"


def test_pages_have_a_socket_of_the_loopback_and_no_network_of_their_own() -> None:
    assert unit("banco-web.socket")["Socket"] == {
        "ListenStream": [f"{HOST}:{PORT}"],
        "FreeBind": ["yes"],
        "Backlog": ["128"],
        "TriggerLimitIntervalSec": ["0"],
        "IPAddressDeny": ["any"],
        "IPAddressAllow": ["localhost"],
    }
    assert unit(WEB)["Unit"]["Requires"] == unit(WEB)["Unit"]["After"] == ["banco-web.socket"]
    is_set(WEB, PrivateNetwork="yes", RestrictAddressFamilies="AF_UNIX", IPAddressDeny="any")


def test_pages_get_what_nobody_else_wants_and_go_first_where_memory_is_short() -> None:
    is_set(WEB, CPUSchedulingPolicy="idle", CPUWeight="idle", IOSchedulingClass="idle")
    line, web = unit(LINE)["Service"], unit(WEB)["Service"]
    assert int(web["IOWeight"][0]) < int(line["IOWeight"][0])
    assert int(web["OOMScoreAdjust"][0]) >= int(line["OOMScoreAdjust"][0])


def test_pages_run_as_the_command_understands_it_and_come_back() -> None:
    (command,) = unit(WEB)["Service"]["ExecStart"]
    program, *words = command.split()
    assert program == "/opt/banco/bin/banco"
    assert make_parser().parse_args(words).socket == Path("/run/banco-web/pages")
    is_set(WEB, User="banco-web", SupplementaryGroups="banco-ledger", Restart="always")
    is_set(WEB, Type="notify", NotifyAccess="main", WatchdogSec="120")
    assert unit(WEB)["Unit"]["StartLimitIntervalSec"] == ["0"]


@pytest.mark.parametrize(
    ("name", "most"),
    [("banco", 1.0), ("banco-line", 0.5), ("banco-web", 0.5), ("banco-room", 1.0)],
)
def test_what_systemd_thinks_of_a_units_exposure(name: str, most: float) -> None:
    """0 is a service that can do nothing, 10 one that may do everything"""
    command = ("systemd-analyze", "security", "--offline=true", "--no-pager", f"{name}.service")
    done = subprocess.run(
        command, cwd=ROOT / "systemd", capture_output=True, text=True, timeout=60, check=True
    )
    found = re.search(rf"Overall exposure level for {name}.service: ([0-9.]+)", done.stdout)
    assert found is not None, done.stdout
    assert float(found[1]) <= most


# The link


def test_a_link_opens_what_is_written_there_and_goes_first_where_memory_is_short() -> None:
    added = unit("link.conf")["Service"]
    assert added["RestrictAddressFamilies"] == ["AF_INET AF_INET6"]
    assert all(address.startswith("192.0.2.") for address in added["IPAddressAllow"])  # RFC 5737
    assert added["OOMPolicy"] == ["continue"]  # the process that was killed is not the table
    is_set(IPAddressDeny="any")


def test_a_witness_outside_opens_its_database_and_no_other_address() -> None:
    added = unit("witness.conf")["Service"]
    assert added == {
        "PrivateNetwork": ["no"],
        "RestrictAddressFamilies": ["AF_INET AF_INET6"],
        "IPAddressAllow": ["192.0.2.3"],  # RFC 5737
    }
    is_set(IPAddressDeny="any")


def test_the_key_s_folder_stays_the_services_alone() -> None:
    """Without a mode systemd makes it readable for all at each start, however it was made."""
    is_set("key.conf", StateDirectory="banco-key", StateDirectoryMode="0700")


# The machine


def test_the_machine_s_watchdog_counts_no_further_than_the_pi_s() -> None:
    """bcm2835_wdt takes 15 s at most (docs/how-to/machine.md)"""
    (seconds,) = unit("watchdog.conf")["Manager"]["RuntimeWatchdogSec"]
    assert 10 <= int(seconds.removesuffix("s")) < 15


def test_the_log_outlives_a_restart_and_never_fills_the_disk() -> None:
    journal = unit("journald.conf")["Journal"]
    assert journal == {"Storage": ["persistent"], "SystemMaxUse": ["200M"]}


# User, folders, device names


def test_the_user_is_in_each_group_that_his_service_asks_for() -> None:
    lines = [line.split() for line in read_lines("banco.sysusers")]
    made = {(words[0], words[1]) for words in lines}
    joined = [words[:3] for words in lines]
    for name in ("banco.service", LINE, WEB):
        (user,) = unit(name)["Service"]["User"]
        assert ("u", user) in made
        for group in unit(name)["Service"]["SupplementaryGroups"][0].split():
            assert ["m", user, group] in joined


def test_a_medium_belongs_to_the_same_user_on_every_machine() -> None:
    """An image is built anew; the ledger's medium stays."""
    numbers = [
        int(words[2])
        for words in map(str.split, read_lines("banco.sysusers"))
        if words[0] in ("u", "g")
    ]
    assert numbers == list(range(640, 640 + len(numbers)))


def test_folders_are_of_the_groups_that_need_them() -> None:
    """The bit 2000: what is made in a folder gets the folder's group"""
    made = {words[1]: words[2:5] for words in map(str.split, read_lines("banco.tmpfiles"))}
    assert made["/var/lib/banco"] == ["2750", "banco", "banco-ledger"]
    assert made[str(RUNTIME_FOLDER)] == ["2750", "banco", "banco-line"]
    assert made[str(PAGES_SOCKET.parent)] == ["2750", "banco", "banco-web"]
    assert made["/var/lib/banco/ledger.owner"] == ["0600", "banco", "banco-ledger"]


def read_lines(name: str) -> list[str]:
    return [
        line
        for line in (ROOT / "systemd" / name).read_text("utf-8").splitlines()
        if not line.startswith("#")
    ]


def test_the_service_may_use_a_gpio_chip_that_debian_leaves_to_root() -> None:
    rule = 'SUBSYSTEM=="gpio", KERNEL=="gpiochip*", GROUP="gpio", MODE="0660"\n'
    before_ttys, found, _ = RULES.partition('SUBSYSTEM!="tty", GOTO="banco_end"')
    assert found
    assert rule in before_ttys


def test_a_gpio_chip_is_the_groups_before_any_service_starts() -> None:
    """udev may come to it only after the service has looked; without a chip nothing is to be done.

    systemd-tmpfiles-setup-dev.service is done before sysinit.target, and the service comes after.
    """
    lines = (ROOT / "systemd/banco.tmpfiles").read_text("utf-8").splitlines()
    assert ["z", "/dev/gpiochip*", "0660", "root", "gpio", "-"] in [x.split() for x in lines]
    assert "DefaultDependencies" not in unit()["Unit"]


def test_the_ledger_is_kept_for_ever() -> None:
    lines = (ROOT / "systemd/banco.tmpfiles").read_text("utf-8").splitlines()
    assert ["d", "/var/lib/banco", "2750", "banco", "banco-ledger", "-"] in [
        x.split() for x in lines
    ]


def names() -> dict[str, str]:
    """The name of the port at each path; no path and no name stands there twice."""
    found = re.findall(r'^ENV{ID_PATH}=="(\S+)", SYMLINK\+="([^"]+)"', RULES, re.MULTILINE)
    named = {f"/dev/{name}": path for path, name in found}
    assert len(set(named.values())) == len(named) == len(found)
    return named


def test_every_port_of_a_table_has_a_name_that_outlives_an_exchanged_adapter() -> None:
    used = set()
    for file in ROOT.glob("docs/tables/*.toml"):
        used |= set(re.findall(r'^\w*port = "([^"]+)"', file.read_text("utf-8"), re.MULTILINE))
    assert "/dev/table/shoe" in used
    assert used == set(names())


def test_the_pis_own_uart_is_the_diagnostics_line() -> None:
    assert re.search(
        r'^KERNEL=="ttyAMA0", SYMLINK\+="table/diagnostics", TAG\+="banco"$', RULES, re.MULTILINE
    )
    assert "/dev/table/diagnostics" not in names()


def test_no_modem_manager_and_no_braille_daemon_takes_a_port() -> None:
    (sockets,) = re.findall(
        r'^ENV{ID_PATH}=="(\S+)", ENV{BRLTTY_BRAILLE_DRIVER}="", ENV{SYSTEMD_WANTS}=""$',
        RULES,
        re.MULTILINE,
    )
    for path in names().values():
        socket, _, interface = path.rpartition(":")
        assert interface == "1.0"
        assert fnmatchcase(socket, sockets)
    assert not fnmatchcase("platform-fd500000.pcie-pci-0000:01:00.0-usb-0:1.6", sockets)
    assert re.search(r'^TAG=="banco", .*ENV{ID_MM_DEVICE_IGNORE}="1"', RULES, re.MULTILINE)


# The room


ROOM = "banco-room.service"


def test_the_room_is_nobody_who_owns_a_ledger_or_a_key() -> None:
    """A machine may have a table and the room; the room is open to the house's network."""
    is_set(ROOM, User="banco-room", Group="banco-room")
    lines = [line.split() for line in read_lines("banco.sysusers")]
    assert [words[:2] for words in lines if "banco-room" in words] == [["u", "banco-room"]]
    assert "SupplementaryGroups" not in unit(ROOM)["Service"]


def test_the_room_may_do_no_more_than_a_table_but_for_its_network() -> None:
    service = unit(ROOM)["Service"]
    network = {"PrivateNetwork", "RestrictAddressFamilies"}
    kept = {key: value for key, value in HARDENED.items() if key not in network}
    assert {key: service.get(key) for key in kept} == kept
    assert service["IPAddressAllow"] == ["localhost", "192.0.2.1", "192.0.2.2"]
    assert service["RestrictAddressFamilies"] == ["AF_INET AF_INET6 AF_UNIX"]


def test_the_room_runs_as_the_command_understands_it_and_comes_back() -> None:
    (command,) = unit(ROOM)["Service"]["ExecStart"]
    program, *words = command.split()
    assert program == "/opt/banco/bin/banco"
    assert make_parser().parse_args(words).config == Path("/etc/banco/room.toml")
    is_set(ROOM, Restart="always", User="banco-room", StateDirectory="banco-room")
    assert unit(ROOM)["Unit"]["StartLimitIntervalSec"] == ["0"]
