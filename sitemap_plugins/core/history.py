"""When files last changed as git tells it, from one reading of the history per repository."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

# Whatever the user's own configuration says; exact renames only, since a file that is only renamed has not changed.
_LOG = (
    "-c", "log.showSignature=false", "-c", "log.follow=false", "-c", "core.quotePath=false",
    "log", "-z", "--format=%x01%H %aI", "--name-status", "--find-renames=100%", "--diff-merges=combined",
    "--no-relative", "--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", f"-O{os.devnull}",
)  # fmt: skip
_HEADER = b"\x01"
_BLOCK = 1 << 16
# Set where a build runs inside a git hook; they would send git to another repository.
_FOREIGN = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR")


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What the histories of some files tell.

    ``dates`` gives for a file, named as it was asked for, the author date of the last commit that changed its content,
    as W3C Datetime with the author's own offset. ``beyond`` holds the files whose last change lies beyond the boundary
    of a shallow clone, so that its date is not known. ``failures`` says in plain words where git could not be read.
    """

    dates: Mapping[str, str]
    beyond: frozenset[str]
    failures: tuple[str, ...]


def read_history(files: Iterable[str]) -> History:
    """Ask git when files last changed, with one ``git log`` per repository, however many files it holds.

    A commit that only renames a file does not change it. Files in no repository, and files that git does not track, are
    in neither ``dates`` nor ``beyond``. Never raises. (https://git-scm.com/docs/git-log)
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
            failures.append(f"git cannot read the history of {top} ({error}); mend that, or leave git out of lastmod")
    return History(dates=dates, beyond=frozenset(beyond), failures=tuple(failures))


class _GitError(Exception):
    """What git said when it failed."""


def _top(folder: Path, known: dict[Path, Path | None]) -> Path | None:
    """Return the folder of the repository that ``folder`` lies in; ``known`` remembers what was found before."""
    walked = []
    top = None
    for place in (folder, *folder.parents):
        if place in known:
            top = known[place]
            break
        walked.append(place)
        # A folder in a clone, a file in a worktree and in a submodule.
        if (place / ".git").exists():
            top = place
            break
    known.update(dict.fromkeys(walked, top))
    return top


def _read(top: Path, wanted: Mapping[bytes, list[str]], dates: dict[str, str], beyond: set[str]) -> None:
    """Put the date of each wanted file into ``dates``, or the file into ``beyond``; stop at the last of them."""
    boundary = _boundary(top)
    # The name that a file had at the commit being read -> the files of today.
    names = {name: list(files) for name, files in wanted.items()}
    for commit, date, changes in _commits(top):
        renamed: list[tuple[bytes, list[str]]] = []
        for old, new in changes:
            found = names.pop(new, None)
            if found is None:
                continue
            if old:
                renamed.append((old, found))
            elif commit in boundary:
                beyond.update(found)
            else:
                dates.update(dict.fromkeys(found, date))
        for old, found in renamed:
            names.setdefault(old, []).extend(found)
        if not names:
            return


def _commits(top: Path) -> Iterator[tuple[str, str, list[tuple[bytes, bytes]]]]:
    """Yield each commit, the newest first: its hash, author date and changes (old name if only renamed, name)."""
    with tempfile.TemporaryFile() as errors:
        process = _git(top, *_LOG, stdout=subprocess.PIPE, stderr=errors)
        assert process.stdout is not None  # noqa: S101 - for mypy: it was asked for above
        try:
            yield from _parse(_tokens(process.stdout))
        finally:
            # Still running where the reader has all it wanted.
            stopped = process.poll() is None
            process.kill()
            process.stdout.close()
            process.wait()
        if process.returncode and not stopped:
            errors.seek(0)
            said = errors.read().decode("utf-8", errors="replace").strip()
            if "does not have any commits yet" not in said:
                raise _GitError(said.partition("\n")[0] or f"status {process.returncode}")


def _git(top: Path, *arguments: str, stdout: int, stderr: int | IO[bytes]) -> subprocess.Popen[bytes]:
    environment = {name: value for name, value in os.environ.items() if name not in _FOREIGN}
    # A partial clone must not fetch what it lacks: a build never needs the network.
    environment |= {"GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    return subprocess.Popen(  # noqa: S603 - no shell, and the arguments are ours
        ["git", "-C", str(top), *arguments],  # noqa: S607 - the user's git, wherever it is
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=stderr,
        env=environment,
    )


def _boundary(top: Path) -> frozenset[str]:
    """Return the hashes of the commits at which a shallow clone was cut off (https://git-scm.com/docs/shallow)."""
    with _git(top, "rev-parse", "--git-path", "shallow", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        path = os.fsdecode(process.communicate()[0]).rstrip("\n")
    try:
        return frozenset((top / path).read_text(encoding="ascii").split())
    except OSError:
        return frozenset()


def _tokens(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield what git separates by NUL, block by block."""
    rest = b""
    while block := stream.read(_BLOCK):
        *tokens, rest = (rest + block).split(b"\0")
        yield from tokens
    if rest:
        yield rest


def _parse(tokens: Iterator[bytes]) -> Iterator[tuple[str, str, list[tuple[bytes, bytes]]]]:
    """Read ``git log -z --name-status``: a header, then for each change its status and one name, or two if renamed.

    A merge has a letter per parent and, also where it renames, one name: of what it changed against all its parents.
    """
    commit = date = ""
    changes: list[tuple[bytes, bytes]] = []
    for token in tokens:
        status = token.lstrip(b"\n")
        if status.startswith(_HEADER):
            if commit:
                yield commit, date, changes
            commit, _, date = status[1:].decode("ascii", errors="replace").partition(" ")
            changes = []
        elif status:
            name = next(tokens, b"")
            if status[:1] == b"R" and status[1:].isdigit():
                changes.append((name, next(tokens, b"")))
            elif status != b"D":
                changes.append((b"", name))
    if commit:
        yield commit, date, changes
