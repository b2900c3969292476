"""The carrier board's netlist, as KiCad writes it: which parts are on which net, and where a net
leads to.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CARRIER = Path(__file__).resolve().parents[3] / "firmware_bridge" / "board" / "carrier"
SUPPLIES = frozenset({"GND", "+3V3", "+5V", "+24V"})
PICO, PASSED_THROUGH = "U1", "RQ"
"""A signal passes through resistors and transistors."""


@dataclass(frozen=True)
class Pin:
    """A part's pin on a net; `function` is its name in the symbol, without what else it can be."""

    part: str
    number: str
    function: str


@dataclass(frozen=True)
class Netlist:
    """Each part's fields by its reference, and each net's pins by its name."""

    parts: dict[str, dict[str, str]]
    nets: dict[str, tuple[Pin, ...]]

    def net_of(self, part: str, function: str) -> str:
        """The net of the part's pin of that function or number."""
        (net,) = {
            name
            for name, pins in self.nets.items()
            for pin in pins
            if pin.part == part and function in (pin.function, pin.number)
        }
        return net

    def follow(self, net: str) -> set[str]:
        """The ends of a signal: plugs with the name of the wire, chips with that of the pin."""
        reached, waiting, ends = set[str](), [net], set[str]()
        while waiting:
            name = waiting.pop()
            if name in reached or name in SUPPLIES:
                continue
            reached.add(name)
            for pin in self.nets[name]:
                if pin.part[0] in PASSED_THROUGH:
                    waiting += self.nets_of(pin.part)
                elif pin.part[0] in "JU":
                    ends.add(
                        f"{pin.part} {name_wire(name) if pin.part[0] == 'J' else pin.function}"
                    )
        return ends

    def nets_of(self, part: str) -> list[str]:
        """The nets that the part is on."""
        return [name for name, pins in self.nets.items() if part in {pin.part for pin in pins}]


def read_netlist(path: Path = CARRIER / "carrier.net") -> Netlist:
    """Read a netlist in KiCad's own format."""
    expression = _parse(path.read_text("utf-8"))
    parts = {
        _value(part, "ref"): {"Value": _value(part, "value"), **dict(_fields(part))}
        for part in _all(_one(expression, "components"), "comp")
    }
    nets = {
        _value(net, "name"): tuple(map(_read_pin, _all(net, "node")))
        for net in _all(_one(expression, "nets"), "net")
    }
    return Netlist(parts, nets)


def name_wire(net: str) -> str:
    """A net's name without its sheet's: `GATE-` of `/Seat 1/GATE-`."""
    return net.rpartition("/")[2]


def draw_up_pinout(netlist: Netlist) -> str:
    """The tables of the plugs: the seats' ones in one, then the others."""
    seats = range(1, 8)
    rows = [f"| pin | wire | {' | '.join(f'J{seat}01' for seat in seats)} |", "|---" * 9 + "|"]
    for number in range(1, 11):
        nets = [netlist.net_of(f"J{seat}01", str(number)) for seat in seats]
        ends = " | ".join(_list_chips(netlist, net) for net in nets)
        rows.append(f"| {number} | `{name_wire(nets[0])}` | {ends} |")
    rows += ["", "| plug | pin | wire | leads to |", "|---|---|---|---|"]
    for plug in ("J1", "J2", "J3", "J4"):
        pins = [(pin, net) for net, on in netlist.nets.items() for pin in on if pin.part == plug]
        for pin, net in sorted(pins, key=lambda each: int(each[0].number)):
            wire = "open" if net.startswith("unconnected") else f"`{name_wire(net)}`"
            rows.append(f"| {plug} | {pin.number} | {wire} | {_list_chips(netlist, net)} |")
    return "\n".join(rows) + "\n"


def _list_chips(netlist: Netlist, net: str) -> str:
    ends = sorted(end for end in netlist.follow(net) if end[0] == "U")
    return ", ".join(end.replace(f"{PICO} GPIO", "GP") for end in ends)


def _read_pin(node: list[Any]) -> Pin:
    function = _value(node, "pinfunction").partition("_ADC")[0]
    return Pin(_value(node, "ref"), _value(node, "pin"), function)


def _fields(part: list[Any]) -> Iterator[tuple[str, str]]:
    for field in _all(_one(part, "fields"), "field"):
        yield _value(field, "name"), field[-1] if isinstance(field[-1], str) else ""


def _parse(text: str) -> list[Any]:
    stack: list[list[Any]] = [[]]
    for string, mark, word in re.findall(r'"((?:[^"\\]|\\.)*)"|([()])|([^\s()"]+)', text):
        if mark == "(":
            stack.append([])
        elif mark == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(string or word)
    (expression,) = stack[0]
    return list(expression)


def _all(expression: list[Any], name: str) -> list[list[Any]]:
    return [each for each in expression if isinstance(each, list) and each[0] == name]


def _one(expression: list[Any], name: str) -> list[Any]:
    return next(iter(_all(expression, name)), [name])


def _value(expression: list[Any], name: str) -> str:
    found = _one(expression, name)
    return str(found[1]) if len(found) > 1 else ""
