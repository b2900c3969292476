"""axe-core, which knows what keeps people with disabilities from using a page."""

import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = Path(sys.prefix) / "axe" / "node_modules" / "axe-core" / "axe.min.js"

RUN = """
async () => {
  const found = await axe.run(document, { resultTypes: ["violations"] });
  return found.violations;
}
"""


def violations(page: Page) -> list[str]:
    """What is wrong with the page as it stands: the rule, and where it is broken."""
    # By the inspector, which the page's content security policy does not concern.
    page.evaluate(AXE.read_text("utf-8"))
    found: list[dict[str, Any]] = page.evaluate(RUN)
    return [
        f"{rule['id']} ({rule['help']}): {node['target']} {node['failureSummary']}"
        for rule in found
        for node in rule["nodes"]
    ]
