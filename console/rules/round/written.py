"""Settings written on the technician's line: what is on record of them."""

from msgspec import UNSET

from console.rules.round.draft import Draft
from console.rules.settings import SettingChanged, SettingsFound


def on_setting_changed(draft: Draft, act: SettingChanged) -> None:
    """Note what was written. Records of earlier versions lack it."""
    if draft.locked or act.typed is UNSET:
        return
    written = dict(draft.written or ())
    written.pop(act.key, None)
    if act.typed:
        written[act.key] = act.typed
    draft.written = tuple(sorted(written.items()))


def on_settings_found(draft: Draft, act: SettingsFound) -> None:
    """Take what settings.toml holds, if no record has had it; otherwise it is only noted."""
    if draft.locked:
        draft.no_effect()
    elif act.taken and draft.written is UNSET:
        draft.written = act.written
