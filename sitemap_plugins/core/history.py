"""When files last changed as git tells it, from one reading of the history per repository."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

# The same whatever the user's own configuration says. Exact renames need no contents, which a partial clone lacks.
_LOG = (
    "-c", "log.date=iso", "-c", "format.pretty=medium",
    "log", "-z", "--format=%H %aI", "--encoding=UTF-8", "--root", "-c", "--combined-all-paths", "--raw", "--no-abbrev",
    "--find-renames=100%", "--no-show-signature", "--no-color", "--no-ext-diff", "-O/dev/null",
)  # fmt: skip
_BLOCK = 1 << 16
_NO_COMMIT = "does not have any commits yet"
# Set where a build runs inside a git hook; they would send git to another repository.
_FOREIGN = {
    "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_SHALLOW_FILE",
}  # fmt: skip
# A partial clone must not fetch what it lacks: a build never needs the network (P9). Older versions of git know
# nothing of the first, so no protocol is allowed either.
_OURS = {
    "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0",
    "LC_ALL": "C",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What the histories of some files tell.

    ``dates`` gives for a file, named as it was asked for, the author date of the last commit that changed its content,
    as git writes it: W3C Datetime with the author's own offset. ``beyond`` holds the files whose last change lies
    beyond the boundary of a shallow clone, so that its date is not known. ``failures`` says in plain words where git
    could not be read.
    """

    dates: Mapping[str, str]
    beyond: frozenset[str]
    failures: tuple[str, ...]


def read_history(files: Iterable[str]) -> History:
    """Ask git when files last changed, with one ``git log`` per repository, however many files it holds.

    A commit that renames a file or changes its mode does not change its content. Files in no repository, and files
    that the commit at HEAD does not hold, are in neither ``dates`` nor ``beyond``. Where git fails, ``failures`` says
    so; nothing is raised. (https://git-scm.com/docs/git-log)
    """
    tops: dict[Path, Path | None] = {}
    repositories: dict[Path, dict[bytes, list[str]]] = {}
    for file in sorted(set(files)):
        path = Path(os.path.realpath(file))
        top = _top(path.parent, tops)
        if top is not None:
            name = os.fsencode(path.relative_to(top).as_posix())
            repositories.setdefault(top, {}).setdefault(name, []).append(file)
    dates: dict[str, str] = {}
    beyond: set[str] = set()
    failures: list[str] = []
    for top, wanted in repositories.items():
        try:
            _read(top, wanted, dates, beyond)
        except FileNotFoundError:
            failures.append("git is not installed here, so it dates no page; install it, or leave git out of lastmod")
            break
        except (_GitError, OSError) as error:
            folder = os.fsencode(top).decode("utf-8", errors="backslashreplace")
            failures.append(
                f"git cannot read the history of {folder} ({error}); "
                "run git log in that folder for all that git says and mend it, or leave git out of lastmod"
            )
    return History(dates=dates, beyond=frozenset(beyond), failures=tuple(failures))


class _GitError(Exception):
    """What git said when it failed."""


class _Blob(NamedTuple):
    """A name and the object id of the content that it had."""

    name: bytes
    content: bytes


class _Change(NamedTuple):
    """What a commit did to a file: as it was in each parent, and as it is now."""

    before: list[_Blob]
    after: _Blob


class _Commit(NamedTuple):
    """A commit's object id, author date and changes."""

    name: str
    date: str
    changes: list[_Change]


def _top(folder: Path, known: dict[Path, Path | None]) -> Path | None:
    """Return the folder of the repository that ``folder`` lies in; ``known`` remembers what was found before."""
    if folder not in known:
        # A folder in a clone, a file in a worktree and in a submodule.
        if (folder / ".git").exists():
            known[folder] = folder
        else:
            known[folder] = None if folder == folder.parent else _top(folder.parent, known)
    return known[folder]


def _read(top: Path, wanted: Mapping[bytes, list[str]], dates: dict[str, str], beyond: set[str]) -> None:
    """Put the date of each wanted file into ``dates``, or the file into ``beyond``; stop at the last of them."""
    boundary = _boundary(top)
    try:
        # The name and content that a file had at the commit being read -> the files of today.
        waiting = {blob: wanted[blob.name] for blob in _tree(top) if blob.name in wanted}
    except _GitError:
        if next(_commits(top), None) is None:
            return
        raise
    with closing(_commits(top)) as commits:
        while waiting and (commit := next(commits, None)):
            moved: list[tuple[_Blob, list[str]]] = []
            for after, source in _sources(commit.changes, waiting):
                found = waiting.pop(after)
                if source:
                    moved.append((source, found))
                elif commit.name in boundary:
                    beyond.update(found)
                else:
                    dates.update(dict.fromkeys(found, commit.date))
            for source, found in moved:
                waiting[source] = [*waiting.get(source, ()), *found]


def _sources(changes: list[_Change], waiting: Mapping[_Blob, object]) -> Iterator[tuple[_Blob, _Blob | None]]:
    """Yield what a commit did to the files waiting: their state, and where its content comes from unless it is new."""
    touched = [change for change in changes if change.after in waiting]
    if not touched:
        return
    # Two files that changed places are two modifications to git.
    edits = {(before[0].content, after.content): before[0] for before, after in changes}
    for before, after in touched:
        kept = next((blob for blob in before if blob.content == after.content), None)
        yield after, kept or edits.get((after.content, before[0].content))


def _boundary(top: Path) -> set[str]:
    """Return the hashes of the commits at which a shallow clone was cut off (https://git-scm.com/docs/shallow)."""
    path = os.fsdecode(b"".join(_git(top, "rev-parse", "--git-path", "shallow"))).removesuffix("\n")
    try:
        listed = (top / path).read_text(encoding="ascii", errors="replace").split()
    except OSError:
        listed = []
    if not listed:
        return set()
    # A clone just as deep as its history lists the root too. The raw format tells the parents that were cut off.
    commits = b"".join(_git(top, "rev-list", "--no-walk", "--ignore-missing", "--format=raw", *listed))
    return set(re.findall(r"^commit (\w+)\ntree \w+\nparent ", commits.decode("ascii", errors="replace"), re.MULTILINE))


def _tree(top: Path) -> Iterator[_Blob]:
    """Yield the files that the commit at HEAD holds."""
    for entry in _git(top, "ls-tree", "-r", "-z", "HEAD"):
        mode_type_content, _, name = entry.partition(b"\t")
        yield _Blob(name, mode_type_content.rpartition(b" ")[2])


def _commits(top: Path) -> Generator[_Commit, None, None]:
    """Yield each commit, the newest first, from ``git log -z --raw`` (https://git-scm.com/docs/diff-format).

    A header comes first, then for each change a colon per parent, the modes, the object ids, a status, and the names:
    one per parent and the one it has now for a merge, otherwise a single one unless the file was renamed.
    """
    commit: _Commit | None = None
    with closing(_git(top, *_LOG)) as tokens:
        for token in tokens:
            fields = token.lstrip(b"\n").split(b" ")
            if fields[0].startswith(b":") and commit:
                parents = fields[0].count(b":")
                contents = fields[parents + 1 : 2 * parents + 2]
                names = [next(tokens, b"")]
                if parents > 1 or fields[-1].startswith(b"R"):
                    names += [next(tokens, b"") for _ in range(parents)]
                before = [_Blob(*blob) for blob in zip(names, contents[:-1], strict=False)]
                commit.changes.append(_Change(before, _Blob(names[-1], contents[-1])))
            elif len(fields) > 1:
                if commit:
                    yield commit
                name, date = (field.decode("ascii", errors="replace") for field in fields[:2])
                commit = _Commit(name, date, [])
    if commit:
        yield commit


def _git(top: Path, *arguments: str) -> Generator[bytes, None, None]:
    """Run git and yield what it separates by NUL, block by block; git is ended with a reader that stops early."""
    environment = {name: value for name, value in os.environ.items() if name not in _FOREIGN} | _OURS
    # Where .git is no repository, one further up would answer for other files.
    environment["GIT_CEILING_DIRECTORIES"] = str(top.parent)
    with tempfile.TemporaryFile() as errors:
        with subprocess.Popen(  # noqa: S603 - no shell, and the arguments are ours
            ["git", "-C", str(top), *arguments],  # noqa: S607 - the user's git, wherever it is
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=environment,
        ) as process:
            assert process.stdout is not None  # noqa: S101 - for mypy: it was asked for above
            try:
                rest = b""
                while block := os.read(process.stdout.fileno(), _BLOCK):
                    *tokens, rest = (rest + block).split(b"\0")
                    yield from tokens
                if rest:
                    yield rest
            except BaseException:
                process.kill()
                raise
        errors.seek(0)
        said = errors.read().decode("utf-8", errors="backslashreplace").strip().splitlines()
    if process.returncode and _NO_COMMIT not in "".join(said):
        # Warnings may come first.
        fatal = [line for line in said if line.startswith(("fatal:", "error:"))]
        raise _GitError((fatal or said or [f"status {process.returncode}"])[0])
