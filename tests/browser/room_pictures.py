"""Pictures of a room of linked tables while things are pulled, for docs/how-to/room.md.

python -m tests.browser.room_pictures docs/pictures: opens the room of `make room`.
"""

import asyncio
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.async_api import Page, ViewportSize, async_playwright

from console.simulation.room.room import NAME, PIN, SimulatedRoom, open_room
from tests.browser.chromium import FLAGS, SHELL
from tests.browser.screenshots import MOST_BYTES, small

WALL: ViewportSize = {"width": 1600, "height": 1000}
PHONE: ViewportSize = {"width": 390, "height": 844}
WIDTH = 1120
WITHIN_MS = 90_000
PLAYING = 4


class RoomCamera:
    """The overview, the sign and the table played by hand, and the pictures taken of them."""

    def __init__(self, folder: Path, pages: dict[str, Page]) -> None:
        self.pages = pages
        self._folder = folder

    async def wait(self, page: str, selector: str, text: str) -> None:
        """Until it says so there."""
        place = self.pages[page].locator(selector, has_text=text).first
        await place.wait_for(timeout=WITHIN_MS)

    async def take(self, page: str, name: str, width: int = WIDTH) -> None:
        """A picture docs/pictures/room-NAME.png."""
        shot = await self.pages[page].screenshot(animations="disabled")
        data = small(shot, min(width, WIDTH))
        file = self._folder / f"room-{name}.png"
        file.write_bytes(data)
        print(f"{file}  {len(data)} bytes", flush=True)
        assert len(data) < MOST_BYTES, f"{file} is too large"


async def photograph(room: SimulatedRoom, camera: RoomCamera) -> None:
    """Pull one thing after another, and take a picture of what people see."""
    by_hand = room.tables[-1]
    await by_hand.do("press GAME_OVER", "token 2 5", "press COIN_IN")
    await camera.wait("overview", f'tr[data-table="{by_hand.name}"]', "Playing")
    await camera.wait("overview", ".alarms", "No alarm.")
    await camera.take("overview", "overview")
    await camera.take("phone", "phone", PHONE["width"])

    await by_hand.do("press ROYAL_FLUSH", "key JPH", "press JPOT")
    await camera.wait("overview", ".award", by_hand.name)
    await camera.wait("sign", "#award", by_hand.name)
    await camera.take("overview", "award")
    await camera.take("sign", "sign-award")

    by_hand.cable.pull()
    await camera.wait("overview", ".alarm", "no link for")
    await camera.take("overview", "cable")
    await camera.take("table", "cable-table")
    by_hand.cable.plug()
    await camera.wait("overview", ".alarms", "No alarm.")
    await by_hand.do("key R")

    await room.tables[0].switch(power=False)
    await camera.wait("overview", ".alarm", "no link for")
    await camera.take("overview", "power")
    await room.tables[0].switch(power=True)
    await camera.wait("overview", ".alarms", "No alarm.")

    await asyncio.to_thread(room.pull_standby)
    await camera.wait("overview", ".alarm", "No copy is in sync")
    await camera.wait("sign", "#amount", "---")
    await camera.take("overview", "standby")
    await camera.take("sign", "sign-dashes")
    await asyncio.to_thread(room.put_back)
    await camera.wait("overview", ".alarms", "No alarm.")

    await asyncio.to_thread(room.pull_primary)
    await camera.wait("overview", ".alarm", "The primary has been silent")
    await camera.wait("overview", ".jackpot-amount", "---")
    await camera.take("overview", "primary")
    await asyncio.to_thread(room.promote)
    await camera.wait("overview", ".alarm", "No copy is in sync")
    await camera.take("overview", "promoted")
    await asyncio.to_thread(room.put_back)
    await camera.wait("overview", ".alarms", "No alarm.")
    await camera.take("overview", "after")


async def main(folder: Path) -> None:
    """Take all of them into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="banco-room-") as place:
        async with (
            open_room(Path(place), playing=PLAYING, by_hand=1, say=print) as room,
            async_playwright() as playwright,
        ):
            browser = await playwright.chromium.launch(
                executable_path=shutil.which(SHELL), args=FLAGS
            )
            pages = {}
            for name, path, size in (
                ("overview", f"{room.url}/room", WALL),
                ("phone", f"{room.url}/room", PHONE),
                ("sign", f"{room.url}/sign", WALL),
                ("table", f"{room.tables[-1].url}cabinet?lang=en", WALL),
            ):
                context = await browser.new_context(
                    viewport=size, reduced_motion="reduce", color_scheme="light"
                )
                context.set_default_timeout(WITHIN_MS)
                page = pages[name] = await context.new_page()
                await page.goto(path)
                if path.endswith("/room"):
                    await page.fill("#name", NAME)
                    await page.fill("#pin", PIN)
                    await page.click("#login-form button")
            await photograph(room, RoomCamera(folder, pages))
            await browser.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
