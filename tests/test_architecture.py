"""How the package is built: what each module brings in, and that every public name says what it is."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import sitemap_plugins
from sitemap_plugins.core import model

PACKAGE = Path(sitemap_plugins.__file__).parent
FRAMEWORKS = {"mkdocs", "properdocs", "pelican", "sphinx", "docutils"}
NETWORK = {"ssl", "http.client", "urllib.request", "httpx", "requests", "urllib3"}
# Each of these imports its framework, which need not be here.
ADAPTERS = {"sitemap_plugins.mkdocs", "sitemap_plugins.pelican", "sitemap_plugins.sphinx"}


def names() -> list[str]:
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return found


MODULES = names()
CORE = [name for name in MODULES if name.startswith("sitemap_plugins.core")]


def load(name: str) -> ModuleType:
    if name in ADAPTERS:
        pytest.importorskip(name.rpartition(".")[2])
    return importlib.import_module(name)


def loaded_by(statement: str) -> set[str]:
    """Return the modules that a fresh interpreter has after a statement."""
    paths = [str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    done = subprocess.run(
        [sys.executable, "-c", f"{statement}\nimport sys\nprint(*sys.modules)"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def test_the_core_has_modules() -> None:
    assert {f"sitemap_plugins.core.{name}" for name in ("build", "plan", "model", "urls", "html")} <= set(CORE)


@pytest.mark.parametrize("name", CORE)
def test_the_core_knows_no_framework_and_no_network(name: str) -> None:
    loaded = loaded_by(f"import {name}")
    assert name in loaded
    assert not {module.partition(".")[0] for module in loaded} & FRAMEWORKS
    assert not loaded & ADAPTERS


def test_a_build_needs_no_network() -> None:
    before = loaded_by("import jinja2, protego, pydantic, selectolax.lexbor, pathspec, idna, subprocess")
    after = loaded_by("import sitemap_plugins.core.build")
    assert not (after - before) & NETWORK


def test_the_package_imports_nothing_of_ours() -> None:
    loaded = loaded_by("import sitemap_plugins")
    assert {name for name in loaded if name.startswith("sitemap_plugins")} == {"sitemap_plugins"}
    assert not loaded & {"jinja2", "pydantic", "selectolax", "protego", "pathspec", "idna"}


def test_no_log_handler_is_set() -> None:
    loaded = loaded_by("import sitemap_plugins.core.build, logging\nassert not logging.root.handlers")
    assert "logging.handlers" not in loaded


@pytest.mark.parametrize("name", MODULES)
def test_a_module_says_in_one_line_what_it_holds(name: str) -> None:
    text = load(name).__doc__ or ""
    first, _, rest = text.partition("\n")
    assert first
    assert first.endswith(".")
    assert not rest or rest.startswith("\n")


def public(owner: object, prefix: str) -> dict[str, object]:
    """Return the functions, classes and methods of ours that an object holds under a public name."""
    found: dict[str, object] = {}
    for name, value in vars(owner).items():
        if name.startswith("_"):
            continue
        if isinstance(value, property):
            value = value.fget
        value = inspect.unwrap(getattr(value, "__func__", value))
        if not (inspect.isfunction(value) or inspect.isclass(value)):
            continue
        if value.__module__ != (owner.__name__ if isinstance(owner, ModuleType) else owner.__module__):
            continue
        found[f"{prefix}.{name}"] = value
        if inspect.isclass(value):
            found.update(public(value, f"{prefix}.{name}"))
    return found


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_is_documented(name: str) -> None:
    # A method of a private class, or one that a framework names, is documented where it is declared.
    bare = [spelt for spelt, value in public(load(name), name).items() if not inspect.getdoc(value)]
    assert bare == []


@pytest.mark.parametrize("name", MODULES)
def test_a_documented_name_opens_with_a_sentence(name: str) -> None:
    for spelt, value in public(load(name), name).items():
        text = inspect.getdoc(value) or ""
        assert text.partition("\n\n")[0].rstrip().endswith((".", ":")), spelt


def records() -> list[type]:
    return [value for value in vars(model).values() if inspect.isclass(value) and value.__module__ == model.__name__]


@pytest.mark.parametrize("record", records(), ids=lambda record: record.__name__)
def test_every_record_is_frozen(record: type) -> None:
    if dataclasses.is_dataclass(record):
        parameters = record.__dataclass_params__  # type: ignore[attr-defined] # the one place that tells
        assert parameters.frozen
        assert all(field.kw_only for field in dataclasses.fields(record))
        assert hasattr(record, "__slots__")
    else:
        assert issubclass(record, tuple | str), record
