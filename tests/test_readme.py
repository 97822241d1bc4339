"""The README says what the code does: its table of options is made from their declaration."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic.fields import FieldInfo

from sitemap_plugins.core.settings import Hreflang, Settings

ROOT = Path(__file__).parent.parent
BEGIN = "<!-- options: made from sitemap_plugins/core/settings.py, compared by tests/test_readme.py -->"
END = "<!-- /options -->"


def option_table() -> str:
    rows = ["| option | takes | default | what it does |", "|---|---|---|---|"]
    for name, field in Settings.model_fields.items():
        rows.append(_row(name, field, "" if name == "hreflang" else _shown(field.default)))
        if name == "hreflang":
            rows.extend(
                _row(f"{name}.{inner}", declared, _shown(declared.default))
                for inner, declared in Hreflang.model_fields.items()
            )
    return "\n".join(rows)


def _row(name: str, field: FieldInfo, default: str) -> str:
    assert isinstance(field.json_schema_extra, dict)
    return f"| `{name}` | {field.json_schema_extra['expected']} | {default} | {field.description} |"


def _shown(default: object) -> str:
    if isinstance(default, tuple | dict):
        return ", ".join(map(str, default)) or "none"
    return "none" if default is None else str(default).lower() if isinstance(default, bool) else str(default)


def test_option_table() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    written = readme.partition(BEGIN)[2].partition(END)[0].strip()
    if written != option_table():
        pytest.fail(f"README.md: put this between the marks:\n\n{option_table()}\n")
