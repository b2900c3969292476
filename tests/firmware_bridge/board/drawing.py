"""Lines, boxes and parts of a schematic, as SVG. Points are in pixels."""

from html import escape

Point = tuple[float, float]

STYLE = """
  svg { background: #fff }
  text { font: 14px sans-serif; fill: #111 }
  .small { font-size: 12px; fill: #444 }
  .title { font-size: 18px; font-weight: bold }
  .wire { stroke: #111; stroke-width: 1.5; fill: none }
  .part { stroke: #111; stroke-width: 1.5; fill: #fff }
  .box { stroke: #111; stroke-width: 1.5; fill: #f4f4ee }
  .dot { fill: #111 }
"""

LEAD = 12
"""Half a resistor's length."""


class Drawing:
    """What has been drawn so far."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self._head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
            f' width="{width}" height="{height}" role="img">\n<title>{escape(title)}</title>\n'
            f"<style>{STYLE}</style>\n"
            f'<rect width="{width}" height="{height}" fill="#fff"/>\n'
        )
        self._shapes: list[str] = []

    def to_svg(self) -> str:
        """The file's text."""
        return self._head + "\n".join(self._shapes) + "\n</svg>\n"

    def write(self, at: Point, text: str, anchor: str = "start", style: str = "") -> None:
        """A word or a line of text; `at` is on its base line."""
        self._shapes.append(
            f'<text x="{at[0]:g}" y="{at[1]:g}" text-anchor="{anchor}" class="{style}">'
            f"{escape(text)}</text>"
        )

    def wire(self, *points: Point) -> None:
        """A wire through these points."""
        way = " ".join(f"{x:g},{y:g}" for x, y in points)
        self._shapes.append(f'<polyline class="wire" points="{way}"/>')

    def join(self, at: Point) -> None:
        """A dot where wires are connected."""
        self._shapes.append(f'<circle class="dot" cx="{at[0]:g}" cy="{at[1]:g}" r="3.5"/>')

    def box(self, at: Point, width: float, height: float, *lines: str) -> None:
        """A box with text in its middle."""
        x, y = at
        self._shapes.append(
            f'<rect class="box" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"/>'
        )
        top = y + height / 2 + 5 - 9 * (len(lines) - 1)
        for number, line in enumerate(lines):
            self.write((x + width / 2, top + 18 * number), line, "middle")

    def resistor(self, start: Point, end: Point, label: str) -> None:
        """A resistor between two points, across or down."""
        (x0, y0), (x1, y1) = start, end
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        self.wire(start, end)
        across = y0 == y1
        width, height = (2 * LEAD, 10) if across else (10, 2 * LEAD)
        self._shapes.append(
            f'<rect class="part" x="{x - width / 2:g}" y="{y - height / 2:g}"'
            f' width="{width:g}" height="{height:g}"/>'
        )
        self._label(across, x, y, label)

    def capacitor(self, start: Point, end: Point, label: str) -> None:
        """A capacitor, downwards."""
        (x, y0), (_, y1) = start, end
        y = (y0 + y1) / 2
        self.wire(start, (x, y - 4))
        self.wire((x, y + 4), end)
        for plate in (y - 4, y + 4):
            self.wire((x - 10, plate), (x + 10, plate))
        self._label(False, x + 6, y, label)

    def diode(self, anode: Point, cathode: Point, label: str) -> None:
        """A diode, across or upwards."""
        (x0, y0), (x1, y1) = anode, cathode
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        self.wire(anode, cathode)
        across = y0 == y1
        corners = (
            [(x - 8, y - 7), (x - 8, y + 7), (x + 8, y)]
            if across
            else [(x - 7, y + 8), (x + 7, y + 8), (x, y - 8)]
        )
        way = " ".join(f"{a:g},{b:g}" for a, b in corners)
        self._shapes.append(f'<polygon class="part" points="{way}"/>')
        bar = [(x + 8, y - 7), (x + 8, y + 7)] if across else [(x - 7, y - 8), (x + 7, y - 8)]
        self.wire(*bar)
        self._label(across, x, y, label)

    def lamp(self, start: Point, end: Point, label: str) -> None:
        """A lamp, downwards."""
        (x, y0), (_, y1) = start, end
        y = (y0 + y1) / 2
        self.wire(start, end)
        self._shapes.append(f'<circle class="part" cx="{x:g}" cy="{y:g}" r="11"/>')
        self.wire((x - 8, y - 8), (x + 8, y + 8))
        self.wire((x - 8, y + 8), (x + 8, y - 8))
        self._label(False, x + 4, y, label)

    def mosfet(self, gate: Point) -> tuple[Point, Point]:
        """An N-channel MOSFET whose gate is here; its drain (above) and its source."""
        x, y = gate
        self.wire(gate, (x + 14, y))
        self.wire((x + 14, y - 14), (x + 14, y + 14))
        self.wire((x + 20, y - 18), (x + 20, y + 18))
        self.wire((x + 20, y - 12), (x + 40, y - 12), (x + 40, y - 30))
        self.wire((x + 20, y + 12), (x + 40, y + 12), (x + 40, y + 30))
        return (x + 40, y - 30), (x + 40, y + 30)

    def ground(self, at: Point) -> None:
        """Ground, below this point."""
        x, y = at
        self.wire(at, (x, y + 8))
        for half, down in ((10, 8), (6, 12), (2, 16)):
            self.wire((x - half, y + down), (x + half, y + down))

    def supply(self, at: Point, label: str) -> None:
        """A supply, above this point."""
        x, y = at
        self.wire(at, (x, y - 8))
        self.wire((x - 9, y - 8), (x + 9, y - 8))
        self.write((x, y - 13), label, "middle")

    def _label(self, across: bool, x: float, y: float, label: str) -> None:
        if across:
            self.write((x, y - 11), label, "middle", "small")
        else:
            self.write((x + 11, y + 5), label, "start", "small")
