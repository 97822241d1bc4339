"""The report: each listed URL, each page left out and each problem, as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from sitemap_plugins.core.model import Omitted, OutputFile, Problem, Url

_BEGINNING = b'{\n"site": '


def is_report(path: Path) -> bool:
    """Tell whether a file is a report of ours, which the next one may replace."""
    try:
        with path.open("rb") as file:
            return file.read(len(_BEGINNING)) == _BEGINNING
    except OSError:
        return False


def render(
    base: str,
    urls: Iterable[Url],
    files: Iterable[OutputFile],
    omitted: Iterable[Omitted],
    problems: Iterable[Problem],
) -> Iterator[bytes]:
    """Yield the report piece by piece: ``site``, ``files``, ``listed``, ``omitted`` and ``problems``, an entry a line.

    Dates and priorities are text as in the sitemap; what is not known is left out of its object.
    """
    lists: dict[str, Iterator[dict[str, object]]] = {
        "files": ({"path": file.path, "size": file.size, "urls": file.urls} for file in files),
        "listed": (
            {
                "loc": url.loc,
                "source": url.source,
                "lastmod": url.lastmod,
                "lastmod_from": url.lastmod_from,
                "changefreq": url.changefreq,
                "priority": url.priority,
                "alternates": dict(url.alternates) or "",
            }
            for url in urls
        ),
        "omitted": (
            {"url": page.url, "source": page.source, "reason": str(page.reason), "detail": page.detail}
            for page in omitted
        ),
        "problems": (
            {
                "level": problem.level,
                "kind": problem.kind,
                "message": problem.message,
                "source": problem.source,
            }
            for problem in problems
        ),
    }
    yield _BEGINNING + json.dumps(base).encode()
    for name, entries in lists.items():
        yield f',\n"{name}": ['.encode()
        separator = "\n"
        for entry in entries:
            known = {key: value for key, value in entry.items() if value != ""}
            # A source's name need not be UTF-8; what is not becomes JSON's own escape.
            yield (separator + json.dumps(known, ensure_ascii=False)).encode("utf-8", errors="backslashreplace")
            separator = ",\n"
        yield b"]" if separator == "\n" else b"\n]"
    yield b"\n}\n"
