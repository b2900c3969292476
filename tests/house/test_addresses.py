"""The project is at home anywhere: no file names a machine's folders or a package registry."""

import re

from tests.house.sources import everything, place

# Written so that this file does not find itself.
FOREIGN = re.compile(
    r"/(?:hom[e]|(?<!/proc/1/)roo[t]|wor[k]|User[s])/|(?<!/var)/tm[p]/|/op[t]/(?!banco)|\.\./share[d]"
    r"|pyp[i]\.org|pythonhoste[d]|--(?:extra-)?inde[x]|--find-link[s]|--trusted-hos[t]"
)


def test_no_file_names_a_machine_or_a_registry() -> None:
    found = [
        f"{place(path, number)}: {match.group()}"
        for path in everything()
        for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), start=1)
        if (match := FOREIGN.search(line))
    ]
    assert found == []
