"""The errors the core raises."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sitemap_plugins.core.model import Problem


class SitemapError(Exception):
    """Anything that stops a build; its text says what to do next."""


class ConfigError(SitemapError):
    """Wrong settings: every fault at once, each as (option in the user's spelling, what is wrong)."""

    def __init__(self, errors: Sequence[tuple[str, str]]) -> None:
        self.errors = tuple(errors)
        super().__init__("\n".join(f"{option}: {fault}" for option, fault in self.errors))


class StrictError(SitemapError):
    """A build that has warnings while the setting ``strict`` is on; nothing was written.

    ``problems`` are all of the build's, to be told before the build ends.
    """

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        count = sum(problem.level == "warning" for problem in problems)
        super().__init__(
            f"{count} {'warning' if count == 1 else 'warnings'} of the sitemap plugin, and its setting strict is on, "
            "so nothing was written; mend what the warnings name, or set strict to false"
        )
