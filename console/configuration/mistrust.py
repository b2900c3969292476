"""Whether a file can be trusted: who owns it, and who else may write it."""

import stat


def why_untrusted(mode: int, owner: int, own_user: int) -> str | None:
    """Return why the file is not trusted; None if only root or our own user could write it."""
    if mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"others than its owner may write it (mode {stat.S_IMODE(mode):04o}): chmod 640"
    if owner not in (0, own_user):
        return f"it belongs to user {owner}, neither root nor the reader: chown root:banco"
    return None


def why_not_roots(mode: int, owner: int) -> str | None:
    """Return why the file is not trusted; None if only root could write it."""
    if mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"others than its owner may write it (mode {stat.S_IMODE(mode):04o}): chmod 644"
    if owner != 0:
        return f"it belongs to user {owner}, not to root: chown root:root"
    return None
