"""The README says what the code does: its table of options is made from their declaration."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap_plugins.core.settings import Settings

ROOT = Path(__file__).parent.parent
BEGIN = "<!-- options: made from sitemap_plugins/core/settings.py, compared by tests/test_readme.py -->"
END = "<!-- /options -->"


def option_table() -> str:
    rows = ["| option | takes | default | what it does |", "|---|---|---|---|"]
    for name, field in Settings.model_fields.items():
        assert isinstance(field.json_schema_extra, dict)
        default = Settings.model_json_schema()["properties"][name].get("default")
        shown = {None: "none", True: "true", False: "false"}.get(default) if not isinstance(default, list) else None
        if shown is None:
            shown = ", ".join(default) or "none" if isinstance(default, list) else str(default)
        rows.append(f"| `{name}` | {field.json_schema_extra['expected']} | {shown} | {field.description} |")
    return "\n".join(rows)


def test_option_table() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    written = readme.partition(BEGIN)[2].partition(END)[0].strip()
    if written != option_table():
        pytest.fail(f"README.md: put this between the marks:\n\n{option_table()}\n")
