"""The page on desk, tablet and phone: what fits, what can be touched, what a finger drags."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.cabinet import Cabinet
from tests.browser.conftest import Visits
from tests.browser.web_table import WebTable

FINGER_PX = 44
ROUNDING_PX = 0.5

TOO_SMALL = """
(elements) => elements
  .map((element) => ({ name: element.outerHTML, box: element.getBoundingClientRect() }))
  .filter(({ box }) => box.width > 2 && Math.min(box.width, box.height) < %s)
  .map(({ name, box }) => `${name} ${box.width} x ${box.height}`)
"""

DESK = {"viewport": {"width": 1440, "height": 900}}
TABLET = {"viewport": {"width": 1024, "height": 768}, "has_touch": True}
UPRIGHT = {"viewport": {"width": 768, "height": 1024}, "has_touch": True}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.mark.sampled
@pytest.mark.parametrize("game", ["caribbean-stud", "mini-punto-banco"])
def test_it_fits_everywhere(table: Callable[..., WebTable], visits: Visits, game: str) -> None:
    ours = table(game, "it", inspector=True)
    for device in (DESK, TABLET, UPRIGHT, PHONE):
        page = Cabinet(visits.to(ours, "/cabinet", **device), ours).page
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), device
        if device in (DESK, TABLET):
            assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), device
        touched = page.locator("button:visible, a:visible, .hand:visible, input[type=text]:visible")
        small = touched.evaluate_all(TOO_SMALL % (FINGER_PX - ROUNDING_PX))
        assert small == [], device


@pytest.mark.sampled
@pytest.mark.parametrize("device", [TABLET, PHONE])
def test_a_finger_taps_a_token_and_drags_a_card(
    table: Callable[..., WebTable], visits: Visits, device: dict[str, Any]
) -> None:
    running = table()
    ours = Cabinet(visits.to(running, "/cabinet", **device), running)
    ours.seat(5).tap()  # before the drag: a finger that jumps is a fling, and the next tap ends it
    expect(ours.around(5)).to_contain_class("with-token")
    finger = ours.page.context.new_cdp_session(ours.page)
    onto = middle(ours.seat(3))
    steps = [
        ("touchStart", [middle(ours.page.locator(".spare-top"))]),
        ("touchMove", [onto]),
        ("touchEnd", []),
    ]
    for kind, points in steps:
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    expect(ours.around(3)).to_contain_class("with-card")


def middle(of: Locator) -> dict[str, float]:
    """Where a finger touches it."""
    box = of.bounding_box()
    assert box is not None
    return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
