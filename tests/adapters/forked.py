"""sphinx-build in a process of its own that need not start Python and import Sphinx again: four times as fast."""

from __future__ import annotations

import multiprocessing
import os
import sys
import tempfile
from collections.abc import Sequence
from multiprocessing.context import ForkServerContext
from pathlib import Path

POSSIBLE = "forkserver" in multiprocessing.get_all_start_methods()
_IMPORTED = [
    "__main__",
    "sphinx.cmd.build",
    "sphinx.ext.autodoc",
    "sphinx.ext.viewcode",
    "sphinx.builders.dirhtml",
    "sphinx.builders.latex",
    "sitemap_plugins.sphinx",
]


def sphinx_build(arguments: Sequence[str], folder: Path) -> tuple[int, str]:
    """Run sphinx-build in a folder; return the exit status and what it printed."""
    context = multiprocessing.get_context("forkserver")
    assert isinstance(context, ForkServerContext)
    context.set_forkserver_preload(_IMPORTED)
    with tempfile.NamedTemporaryFile() as printed:
        process = context.Process(target=_run, args=(list(arguments), folder, printed.name))
        process.start()
        process.join()
        status = process.exitcode
        assert status is not None
        return status, Path(printed.name).read_text("utf-8", errors="replace")


def _run(arguments: list[str], folder: Path, printed: str) -> None:
    os.chdir(folder)
    file = os.open(printed, os.O_WRONLY | os.O_APPEND)
    for stream, number in ((sys.stdout, 1), (sys.stderr, 2)):
        os.dup2(file, number)
        stream.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr] - they are files
    from sphinx.cmd.build import main

    sys.exit(main(arguments))
