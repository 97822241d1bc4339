"""The cases of tests/golden: pages, options and site go in; files, pages left out and problems come out."""

from __future__ import annotations

import gzip
from datetime import timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
import yaml

from sitemap_plugins.core import html
from sitemap_plugins.core.build import build as plan_build
from sitemap_plugins.core.build import write
from sitemap_plugins.core.configure import configure
from sitemap_plugins.core.model import DateClaim, Page, Reason
from tests.core.make import BASE, site, spell, tree
from tests.schemas import validate

FOLDER = Path(__file__).parent.parent / "golden"
CASES = sorted(FOLDER.glob("*.yml"))


def page_of(entry: dict[str, Any]) -> Page:
    values = dict(entry)
    if "head" in values:
        values["head"] = html.inspect(f"<html><head>{values['head']}</head><body></body></html>".encode())
    if "omit" in values:
        values["omit"] = Reason(values["omit"])
    values["dates"] = tuple(DateClaim(**claim) for claim in values.get("dates", ()))
    return Page(**values)


def test_there_are_cases() -> None:
    assert len(CASES) >= 8


@pytest.mark.parametrize("path", CASES, ids=[path.stem for path in CASES])
def test_case(path: Path, tmp_path: Path) -> None:
    case = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert case.keys() <= {"about", "site", "options", "pages", "files", "omitted", "problems", "summary"}
    told = dict(case.get("site", {}))
    settings, base = configure(
        case.get("options", {}), spell=spell, root=tmp_path, base=told.pop("base", BASE), option="site_url"
    )
    if "hours" in told:
        told["timezone"] = timezone(timedelta(hours=told.pop("hours")))
    if "robots" in told:
        told["robots"] = told["robots"].encode()
    where = site(base, **{**told, "owned": frozenset(told.get("owned", ()))})

    out = tmp_path / "out"
    outcome = write(plan_build(map(page_of, case["pages"]), where, settings), out)

    files = tree(out) if out.is_dir() else {}
    for name in [name for name in files if name.endswith(".gz")]:
        assert gzip.decompress(files.pop(name)) == files[name.removesuffix(".gz")]
    assert {name: content.decode() for name, content in files.items()} == case["files"]
    for name, content in files.items():
        if name.endswith(".xml"):
            assert validate(content) == []
    omitted = [
        {"url": page.url.removeprefix(base), "source": page.source, "reason": str(page.reason), "detail": page.detail}
        for page in outcome.omitted
    ]
    assert [
        {key: found[key] for key in expected} for found, expected in zip(omitted, case.get("omitted", []), strict=True)
    ] == case.get("omitted", [])
    assert [
        {"level": problem.level, "kind": problem.kind, "message": problem.message} for problem in outcome.problems
    ] == case.get("problems", [])
    if "summary" in case:
        assert outcome.summary == case["summary"]
