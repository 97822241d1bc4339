"""Dates from git (P4), read from real repositories of every shape; the dates expected are written by hand."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sitemap_plugins.core import history
from sitemap_plugins.core.history import History, read_history

D1 = "2024-01-01T10:00:00+02:00"
D2 = "2024-02-02T10:00:00-03:30"
D3 = "2024-03-03T10:00:00+00:00"
D4 = "2024-04-04T10:00:00+05:45"
D5 = "2024-05-05T10:00:00+02:00"
D6 = "2024-06-06T10:00:00+02:00"
LATER = "2025-12-24T18:00:00+01:00"


@pytest.fixture(scope="module", autouse=True)
def _environment() -> Iterator[None]:
    """Keep the tests from the configuration of whoever runs them, and from a hook that they run in."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("GIT_")]:
            patch.delenv(name)
        patch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        for role in ("AUTHOR", "COMMITTER"):
            patch.setenv(f"GIT_{role}_NAME", "Ada")
            patch.setenv(f"GIT_{role}_EMAIL", "ada@example.org")
        yield


class Repo:
    """A repository, and what its tests do to it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.git("-c", "init.defaultBranch=main", "init", "-q")

    def git(self, *arguments: str, date: str = LATER, stdin: bytes = b"", check: bool = True) -> str:
        """Run git with the author's date given, and a minute later as the committer's in order that they differ."""
        committer = date.replace(":00:00", ":01:00")
        done = subprocess.run(
            ["git", "-c", "protocol.file.allow=always", "-c", "core.autocrlf=false", *arguments],
            cwd=self.folder,
            env=os.environ | {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": committer},
            input=stdin,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0 or not check, done.stderr.decode()
        return os.fsdecode(done.stdout).strip()

    def write(self, **contents: str) -> None:
        for name, content in contents.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")

    def commit(self, date: str, *removed: str, **contents: str) -> None:
        """Commit everything, after some files are removed and some written."""
        for name in removed:
            (self.folder / name).unlink()
        self.write(**contents)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "x", date=date)

    def dates(self, *names: str) -> dict[str, str]:
        """Return the dates of some files by their names in the repository; nothing may be beyond or have failed."""
        known = self.known(*names)
        assert (known.beyond, known.failures) == (frozenset(), ())
        return dict(known.dates)

    def known(self, *names: str) -> History:
        known = read_history(str(self.folder / name) for name in names)
        return History(
            dates={os.path.relpath(path, self.folder): date for path, date in known.dates.items()},
            beyond=frozenset(os.path.relpath(path, self.folder) for path in known.beyond),
            failures=known.failures,
        )


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path / "repo")


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[subprocess.Popen[bytes]]]:
    """Return a function that starts to note processes and gives the list of them."""

    def start() -> list[subprocess.Popen[bytes]]:
        started: list[subprocess.Popen[bytes]] = []

        class Popen(subprocess.Popen):  # type: ignore[type-arg] # its parameter is of no use to a base class
            def __init__(self, *arguments: Any, **named: Any) -> None:
                super().__init__(*arguments, **named)
                started.append(self)

        monkeypatch.setattr(history.subprocess, "Popen", Popen)
        return started

    return start


def logs(started: list[subprocess.Popen[bytes]]) -> list[subprocess.Popen[bytes]]:
    return [process for process in started if "log" in process.args]  # type: ignore[operator] # a list of words


# ---- changes ----


def test_the_authors_date_with_the_authors_offset(repo: Repo) -> None:
    repo.commit(D1, a="1", b="1")
    repo.commit(D2, b="2")
    repo.commit(D3)
    assert repo.dates("a", "b") == {"a": D1, "b": D2}


def test_the_newest_commit_counts_not_the_newest_date(repo: Repo) -> None:
    repo.commit(D3, a="1")
    repo.commit(D1, a="2")
    assert repo.dates("a") == {"a": D1}


def test_deleted_and_added_again(repo: Repo) -> None:
    repo.commit(D1, a="1", b="1")
    repo.commit(D2, "a")
    repo.commit(D3, a="1")
    assert repo.dates("a", "b") == {"a": D3, "b": D1}


def test_changed_and_changed_back(repo: Repo) -> None:
    for date, content in ((D1, "1"), (D2, "2"), (D3, "1")):
        repo.commit(date, a=content)
    assert repo.dates("a") == {"a": D3}


def test_a_change_of_mode_is_none_of_content(repo: Repo) -> None:
    repo.commit(D1, a="1")
    repo.git("update-index", "--chmod=+x", "a")
    repo.git("commit", "-q", "-m", "x", date=D2)
    assert repo.dates("a") == {"a": D1}


def test_a_symbolic_link_that_became_a_file(repo: Repo) -> None:
    repo.write(b="1")
    (repo.folder / "a").symlink_to("b")
    repo.commit(D1)
    repo.commit(D2, "a", a="2")
    assert repo.dates("a", "b") == {"a": D2, "b": D1}


@pytest.mark.parametrize(
    ("when", "written"),
    [
        ("0 +0000", "1970-01-01T00:00:00+00:00"),
        ("1700000000 +9999", "2023-11-19T02:52:20+99:99"),
        ("99999999999 +0000", "5138-11-16T09:46:39+00:00"),
        ("9999999999999999 +0000", "316889355-01-25T17:46:39+00:00"),
        ("1700000000 -1234567", "2022-06-18T12:06:20-12345:67"),
    ],
)
def test_dates_are_handed_on_as_git_writes_them(repo: Repo, when: str, written: str) -> None:
    repo.commit(D1, a="1")
    lines = [f"tree {repo.git('write-tree')}", f"author a <a@b> {when}", "committer a <a@b> 1700000000 +0000", "", "x"]
    stdin = "\n".join(lines).encode()
    commit = repo.git("hash-object", "-t", "commit", "-w", "--stdin", "--literally", stdin=stdin)
    repo.git("update-ref", "HEAD", commit)
    assert repo.dates("a") == {"a": written}


# ---- renames ----


def test_renames_change_nothing(repo: Repo) -> None:
    repo.commit(D1, a="1", other="1")
    for date, old, new in ((D2, "a", "b"), (D3, "b", "folder/c"), (D4, "folder/c", "d")):
        repo.commit(date, old, **{new: "1"})
    assert repo.dates("d", "other") == {"d": D1, "other": D1}


def test_a_change_between_two_renames(repo: Repo) -> None:
    repo.commit(D1, a="1")
    repo.commit(D2, "a", b="1")
    repo.commit(D3, b="2")
    repo.commit(D4, "b", c="2")
    assert repo.dates("c") == {"c": D3}


def test_renamed_and_changed_is_changed(repo: Repo) -> None:
    text = "line\n" * 100
    repo.commit(D1, a=text)
    repo.commit(D2, "a", b=text + "one more\n")
    assert repo.dates("b") == {"b": D2}


def test_a_copy_is_a_new_file(repo: Repo) -> None:
    repo.commit(D1, a="1")
    repo.commit(D2, b="1")
    repo.commit(D3, a="2", c="1")
    assert repo.dates("a", "b", "c") == {"a": D3, "b": D2, "c": D3}


def test_files_that_changed_places(repo: Repo) -> None:
    repo.commit(D1, a="1", b="0")
    repo.commit(D2, b="2")
    repo.commit(D3, a="2", b="1")
    assert repo.dates("a", "b") == {"a": D2, "b": D1}


def test_the_old_name_is_taken_by_another_file(repo: Repo) -> None:
    repo.commit(D1, a="1")
    repo.commit(D2, "a", b="1")
    repo.commit(D3, a="another")
    assert repo.dates("a", "b") == {"a": D3, "b": D1}


def test_the_new_name_belonged_to_another_file(repo: Repo) -> None:
    repo.commit(D1, a="1", b="0")
    repo.commit(D2, b="another")
    repo.commit(D3, "b")
    repo.commit(D4, "a", b="1")
    assert repo.dates("b") == {"b": D1}


def test_a_chain_of_renames_in_one_commit(repo: Repo) -> None:
    repo.commit(D1, b="1")
    repo.commit(D2, c="2")
    repo.commit(D3, "b", "c", x="1", y="2")
    assert repo.dates("x", "y") == {"x": D1, "y": D2}


# ---- merges ----


def merge(repo: Repo, date: str, *branches: str, commit: bool = True) -> None:
    arguments = ["-q", "-m", "x"] if commit else ["-q", "--no-commit"]
    repo.git("merge", "--no-ff", *arguments, *branches, date=date, check=False)


@pytest.fixture
def forked(repo: Repo) -> Repo:
    """Return a repository with two branches that both changed ``both``, with ``side`` checked out."""
    repo.commit(D1, a="1", both="0", **{"main-only": "0", "side-only": "0"})
    repo.git("branch", "side")
    repo.commit(D2, **{"both": "main", "main-only": "1"})
    repo.git("checkout", "-q", "side")
    repo.commit(D3, **{"both": "side", "side-only": "1"})
    repo.git("checkout", "-q", "main")
    return repo


def test_a_merge_dates_only_what_it_changed_itself(forked: Repo) -> None:
    merge(forked, D4, "side")
    forked.commit(D4, both="resolved")
    assert len(forked.git("show", "-s", "--format=%P").split()) == 2
    assert forked.dates("a", "both", "main-only", "side-only") == {
        "a": D1,
        "both": D4,
        "main-only": D2,
        "side-only": D3,
    }


@pytest.mark.parametrize(("kept", "date"), [("main", D2), ("side", D3)])
def test_a_conflict_resolved_for_one_side(forked: Repo, kept: str, date: str) -> None:
    merge(forked, D4, "side")
    forked.commit(D4, both=kept)
    assert forked.dates("both") == {"both": date}


def test_a_side_that_was_not_taken_over(forked: Repo) -> None:
    forked.git("merge", "-q", "-s", "ours", "-m", "x", "side", date=D4)
    assert forked.dates("both", "side-only") == {"both": D2, "side-only": D1}


def test_a_file_new_in_a_merge(forked: Repo) -> None:
    merge(forked, D4, "side")
    forked.commit(D4, both="resolved", new="1")
    assert forked.dates("new") == {"new": D4}


def test_a_file_renamed_in_a_merge(forked: Repo) -> None:
    merge(forked, D4, "side")
    forked.commit(D4, "a", both="resolved", renamed="1")
    assert forked.dates("renamed") == {"renamed": D1}


def test_renamed_on_one_side_and_changed_on_the_other(repo: Repo) -> None:
    text = "line\n" * 100
    repo.commit(D1, a=text)
    repo.git("checkout", "-q", "-b", "side")
    repo.commit(D2, a=text + "side\n")
    repo.git("checkout", "-q", "main")
    repo.commit(D3, "a", b=text)
    merge(repo, D4, "side")
    assert (repo.folder / "b").read_text() == text + "side\n"
    assert repo.dates("b") == {"b": D2}


def test_renamed_in_two_ways_and_both_kept(repo: Repo) -> None:
    repo.commit(D1, a="1")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit(D2, "a", b="1")
    repo.git("checkout", "-q", "main")
    repo.commit(D3, "a", c="1")
    merge(repo, D4, "side")
    repo.commit(D4, b="1", c="1")
    assert repo.dates("b", "c") == {"b": D1, "c": D1}


def test_files_that_changed_places_in_a_merge(forked: Repo) -> None:
    forked.commit(D4, b="2")
    merge(forked, D5, "side")
    forked.commit(D5, a="2", b="1", both="resolved")
    assert forked.dates("a", "b") == {"a": D4, "b": D1}


def test_a_merge_of_many(repo: Repo) -> None:
    repo.commit(D1, a="1", b="1")
    for date, name in ((D2, "x"), (D3, "y"), (D4, "z")):
        repo.git("checkout", "-q", "-b", name, "main")
        repo.commit(date, **{name: "1"})
    repo.git("checkout", "-q", "main")
    merge(repo, D5, "x", "y", "z")
    repo.write(a="2")
    (repo.folder / "b").rename(repo.folder / "c")
    repo.git("add", "-A")
    repo.git("commit", "-q", "--amend", "--no-edit", "--date", D5)
    assert len(repo.git("show", "-s", "--format=%P").split()) == 4
    assert repo.dates("a", "c", "x", "y", "z") == {"a": D5, "c": D1, "x": D2, "y": D3, "z": D4}


# ---- shallow and partial clones ----


def clone(repo: Repo, *options: str) -> Repo:
    """Return a clone over a transport, which unlike one from a path may be shallow."""
    folder = repo.folder.parent / "clone"
    repo.git("clone", "-q", *options, repo.folder.as_uri(), str(folder))
    return Repo(folder)


@pytest.fixture
def origin(repo: Repo) -> Repo:
    repo.commit(D1, a="1", b="1", c="1")
    repo.commit(D2, b="2")
    repo.commit(D3, c="3")
    repo.commit(D4, "a", moved="1")
    return repo


@pytest.mark.parametrize(
    ("depth", "dates", "beyond"),
    [
        (1, {}, {"moved", "b", "c"}),
        (2, {}, {"moved", "b", "c"}),
        (3, {"c": D3}, {"moved", "b"}),
        (4, {"b": D2, "c": D3, "moved": D1}, set()),
    ],
)
def test_a_shallow_clone_does_not_know_what_lies_beyond(
    origin: Repo, depth: int, dates: dict[str, str], beyond: set[str]
) -> None:
    known = clone(origin, "--depth", str(depth)).known("moved", "b", "c", "untracked")
    assert known == History(dates=dates, beyond=frozenset(beyond), failures=())


def test_a_change_after_the_boundary(origin: Repo) -> None:
    shallow = clone(origin, "--depth", "1")
    shallow.commit(D5, b="5")
    shallow.commit(D6, "c", d="3")
    known = shallow.known("moved", "b", "d")
    assert known == History(dates={"b": D5}, beyond=frozenset({"moved", "d"}), failures=())


def test_a_boundary_that_is_gone(origin: Repo) -> None:
    shallow = clone(origin, "--depth", "3")
    with (shallow.folder / ".git" / "shallow").open("a") as file:
        file.write("1" * 40 + "\n")
    assert shallow.known("b", "c") == History(dates={"c": D3}, beyond=frozenset("b"), failures=())


def test_a_shallow_clone_made_whole(origin: Repo) -> None:
    shallow = clone(origin, "--depth", "1")
    shallow.git("fetch", "-q", "--unshallow")
    assert shallow.dates("moved", "b", "c") == {"moved": D1, "b": D2, "c": D3}


def test_a_worktree_of_a_shallow_clone(origin: Repo) -> None:
    shallow = clone(origin, "--depth", "1")
    shallow.git("worktree", "add", "-q", "--detach", "../tree")
    assert read_history([str(shallow.folder.parent / "tree" / "b")]).beyond


def test_a_clone_without_contents_needs_none(origin: Repo) -> None:
    origin.git("config", "uploadpack.allowFilter", "true")
    origin.commit(D5, "c", d="3 and more")
    partial = clone(origin, "--filter=blob:none", "--no-checkout")
    origin.folder.rename(origin.folder.with_name("gone"))
    assert partial.dates("moved", "b", "d") == {"moved": D1, "b": D2, "d": D5}


def test_what_a_clone_lacks_is_not_fetched(origin: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    origin.git("config", "uploadpack.allowFilter", "true")
    partial = clone(origin, "--filter=tree:0", "--no-checkout")
    monkeypatch.setitem(history._OURS, "GIT_NO_LAZY_FETCH", "0")  # as for a git that does not know it
    known = partial.known("b")
    assert not known.dates
    assert "promisor" in known.failures[0] or "not allowed" in known.failures[0]


# ---- which repository ----


def test_files_of_no_repository(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    assert read_history([str(tmp_path / "a")]) == History(dates={}, beyond=frozenset(), failures=())
    assert read_history([]) == History(dates={}, beyond=frozenset(), failures=())


def test_files_that_git_does_not_track(repo: Repo) -> None:
    repo.commit(D1, **{"a": "1", "removed": "1", "kept-on-disk": "1"})
    repo.commit(D2, "removed")
    repo.git("rm", "-q", "--cached", "kept-on-disk")
    repo.git("commit", "-q", "-m", "x", date=D3)
    repo.write(untracked="1", added="1")
    repo.git("add", "added")
    names = ("untracked", "added", "removed", "kept-on-disk", "never", ".git/HEAD", ".")
    assert repo.dates("a", *names) == {"a": D1}


def test_a_repository_without_commits(repo: Repo) -> None:
    repo.write(a="1")
    assert repo.dates("a") == {}
    repo.git("add", "a")
    assert repo.dates("a") == {}


def test_one_file_by_several_names(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit(D1, **{"folder/a": "1"})
    (repo.folder.parent / "link").symlink_to(repo.folder / "folder")
    (repo.folder.parent / "file").symlink_to("repo/folder/a")
    monkeypatch.chdir(repo.folder.parent)
    names = ["repo/folder/a", str(repo.folder / "folder" / "a"), "repo/../repo/folder/a", "link/a", "file"]
    assert read_history(names).dates == dict.fromkeys(names, D1)


def test_a_link_is_as_old_as_the_file_behind_it(repo: Repo) -> None:
    repo.commit(D1, a="1")
    (repo.folder / "b").symlink_to("a")
    repo.commit(D2)
    assert repo.dates("b") == {"b": D1}


def test_a_worktree(repo: Repo) -> None:
    repo.commit(D1, a="1")
    repo.git("worktree", "add", "-q", "-b", "other", "../tree")
    repo.commit(D2, a="2")
    assert (repo.folder.parent / "tree" / ".git").is_file()
    file = str(repo.folder.parent / "tree" / "a")
    assert read_history([file]).dates == {file: D1}


def test_a_submodule_has_its_own_history(repo: Repo, tmp_path: Path) -> None:
    inner = Repo(tmp_path / "inner")
    inner.commit(D1, a="1")
    repo.commit(D2, a="1")
    repo.git("submodule", "add", "-q", inner.folder.as_uri(), "sub")
    repo.commit(D3)
    assert repo.dates("a", "sub/a") == {"a": D2, "sub/a": D1}


def test_a_repository_within_another(repo: Repo) -> None:
    repo.commit(D1, a="1")
    inner = Repo(repo.folder / "inner")
    inner.commit(D2, a="1")
    assert repo.dates("a", "inner/a") == {"a": D1, "inner/a": D2}


@pytest.mark.parametrize(
    "name",
    [
        "ÄÖ é.md",
        "日本語/頁.md",
        " two  spaces ",
        "line\nbreak",
        "\nleading",
        "tab\there",
        "quote\"s'",
        "back\\slash",
        "-n",
        ":000000 100644 a b A",
        "*",
        "\udcff\udcfe not UTF-8",
        "\x01",
    ],
)
def test_names_of_any_bytes(repo: Repo, name: str) -> None:
    repo.commit(D1, **{name: "1", "other": "1"})
    repo.commit(D2, other="2")
    repo.commit(D3, name, **{f"{name} renamed": "1"})
    repo.commit(D4, **{f"{name} edited": "1"})
    repo.commit(D5, **{f"{name} edited": "2"})
    assert repo.dates(f"{name} renamed", f"{name} edited") == {f"{name} renamed": D1, f"{name} edited": D5}


# ---- failures ----


def test_git_is_not_installed(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = Repo(tmp_path / "other")
    (tmp_path / "loose").touch()
    monkeypatch.setenv("PATH", str(tmp_path))
    files = [str(repo.folder / "a"), str(other.folder / "a"), str(tmp_path / "loose")]
    assert read_history(files) == History(
        dates={},
        beyond=frozenset(),
        failures=("git is not installed here, so it dates no page; install it, or leave git out of lastmod",),
    )
    assert not read_history(files[2:]).failures


def test_the_repository_belongs_to_someone_else(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit(D1, a="1")
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    known = repo.known("a")
    assert known == History(
        dates={},
        beyond=frozenset(),
        failures=(
            f"git cannot read the history of {repo.folder} (fatal: detected dubious ownership in repository at "
            f"'{repo.folder}'); run git log in that folder for all that git says and mend it, or leave git out of "
            "lastmod",
        ),
    )


def lose(repo: Repo, revision: str) -> None:
    """Take an object out of a repository."""
    name = repo.git("rev-parse", revision)
    (repo.folder / ".git" / "objects" / name[:2] / name[2:]).unlink()


def test_what_was_read_before_a_fault_is_kept(repo: Repo, tmp_path: Path) -> None:
    for date, name in ((D1, "a"), (D2, "b"), (D3, "c"), (D4, "c")):
        repo.commit(date, **{name: date})
    repo.commit(D5)
    other = Repo(tmp_path / "sound")
    other.commit(D4, a="1")
    lose(repo, "HEAD~4")
    known = repo.known("a", "c", "../sound/a")
    assert known.dates == {"c": D4, "../sound/a": D4}
    assert known.beyond == frozenset()
    assert [failure.partition(" (")[0] for failure in known.failures] == [
        f"git cannot read the history of {repo.folder}"
    ]


@pytest.mark.parametrize("revision", ["HEAD", "HEAD^{tree}"])
def test_a_head_that_is_lost(repo: Repo, revision: str) -> None:
    repo.commit(D1, a="1")
    lose(repo, revision)
    known = repo.known("a")
    assert not known.dates
    assert len(known.failures) == 1


@pytest.mark.parametrize("content", ["", "nonsense\n"])
def test_a_branch_that_is_broken(repo: Repo, content: str) -> None:
    repo.commit(D1, a="1")
    repo.write(**{".git/refs/heads/main": content})
    known = repo.known("a")
    assert not known.dates
    assert "broken" in known.failures[0]


def test_no_other_repository_answers_for_a_broken_one(repo: Repo) -> None:
    repo.commit(D1, a="1", **{"inner/a": "1"})
    (repo.folder / "inner" / ".git").mkdir()
    known = repo.known("a", "inner/a")
    assert known.dates == {"a": D1}
    assert "not a git repository" in known.failures[0]
    assert str(repo.folder / "inner") in known.failures[0]


@pytest.mark.skipif(os.name == "nt", reason="the stand-in for git is a shell script")
@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("yes warning: much ado | head -n 100000 >&2; echo fatal: at last >&2; exit 3", "(fatal: at last)"),
        ("echo odd >&2; echo words >&2; exit 3", "(odd)"),
        ("printf 'fatal: \\377' >&2; exit 3", "(fatal: \\xff)"),
        ("exit 3", "(status 3)"),
        ("kill -9 $$", "(status -9)"),
    ],
)
def test_a_git_that_fails(repo: Repo, monkeypatch: pytest.MonkeyPatch, script: str, said: str) -> None:
    fake = repo.folder / "bin" / "git"
    fake.parent.mkdir()
    fake.write_text(f"#!/bin/sh\n{script}\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(fake.parent), prepend=os.pathsep)
    assert said in repo.known("a").failures[0]


# ---- the user's configuration and environment ----

AWKWARD = """
[log]
    date = no-such-form
    showSignature = true
    showRoot = false
    follow = true
    mailmap = true
    decorate = full
    abbrevCommit = true
    diffMerges = off
[diff]
    renames = copies
    renameLimit = 1
    noprefix = true
    mnemonicPrefix = true
    relative = true
    orderFile = no-such-file
    submodule = log
    ignoreSubmodules = all
    external = false
    colorMoved = zebra
[format]
    pretty = no-such-format
[color]
    ui = always
[core]
    quotePath = true
    abbrev = 4
    pager = false
[i18n]
    logOutputEncoding = UTF-16
[status]
    relativePaths = true
    showUntrackedFiles = no
[pager]
    log = true
[alias]
    log = status
"""


def test_the_users_configuration_changes_nothing(forked: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    merge(forked, D4, "side")
    forked.commit(D4, both="resolved")
    forked.commit(D5, "a", **{"ä/b": "1", "copy": "1"})
    forked.commit(D6, **{"main-only": "2"})
    names = ("both", "ä/b", "copy", "main-only", "side-only")
    expected = forked.dates(*names)
    assert expected["both"] == D4
    assert set(expected) == set(names)
    (tmp_path / "awkward").write_text(AWKWARD)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "awkward"))
    assert forked.dates(*names) == expected


def test_the_root_and_the_clock_of_an_awkward_user(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit(D1, a="1")
    (tmp_path / "awkward").write_text(AWKWARD)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "awkward"))
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.setenv("LANGUAGE", "de")
    assert repo.dates("a") == {"a": D1}


def test_a_build_inside_a_hook(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit(D1, a="1")
    other = Repo(tmp_path / "other")
    other.commit(D2, a="1")
    git = other.folder / ".git"
    for name, value in (
        ("GIT_DIR", git),
        ("GIT_WORK_TREE", other.folder),
        ("GIT_INDEX_FILE", git / "index"),
        ("GIT_PREFIX", "x/"),
        ("GIT_COMMON_DIR", git),
        ("GIT_OBJECT_DIRECTORY", git / "objects"),
        ("GIT_SHALLOW_FILE", git / "no-such-file"),
    ):
        monkeypatch.setenv(name, str(value))
    assert repo.dates("a") == {"a": D1}


# ---- how git is asked ----


def test_one_log_per_repository(repo: Repo, tmp_path: Path, processes: Any) -> None:
    names = [f"folder-{number % 7}/{number}" for number in range(300)]
    other = Repo(tmp_path / "other")
    for place in (repo, other):
        place.commit(D1, **dict.fromkeys(names, "1"))
        place.commit(D2, **{names[0]: "2"})
    files = [str(place.folder / name) for place in (repo, other) for name in names]
    started = processes()
    known = read_history(files)
    assert len(known.dates) == 600
    assert len(logs(started)) == 2
    assert len(started) <= 6
    assert all(process.returncode is not None for process in started)


def test_no_log_where_no_file_is_tracked(repo: Repo, processes: Any) -> None:
    repo.commit(D1, a="1")
    started = processes()
    assert repo.dates("untracked") == {}
    assert not logs(started)


def fast_import(repo: Repo, commits: Iterator[tuple[str, dict[str, str]]]) -> None:
    """Make commits of a date and all the files there are then, in one process (git-fast-import)."""
    stream = b""
    for date, files in commits:
        stream += f"commit refs/heads/main\ncommitter a <a@b> {date}\ndata 1\nx\ndeleteall\n".encode()
        for name, content in files.items():
            stream += f"M 100644 inline {name}\ndata {len(content)}\n{content}\n".encode()
    repo.git("fast-import", "--quiet", "--date-format=raw", stdin=stream)


def test_reading_stops_at_the_last_file(repo: Repo, processes: Any) -> None:
    commits = (
        (f"{1_700_000_000 + number} +0000", {"old": "1", "new": str(number), "busy": f"{number}!"})
        for number in range(5_000)
    )
    fast_import(repo, commits)
    started = processes()
    assert repo.dates("new", "busy", "untracked") == {
        "new": "2023-11-14T23:36:39+00:00",
        "busy": "2023-11-14T23:36:39+00:00",
    }
    (log,) = logs(started)
    # It had more to tell than a pipe holds.
    assert log.returncode == (1 if os.name == "nt" else -signal.SIGKILL)
    assert repo.dates("old") == {"old": "2023-11-14T22:13:20+00:00"}


def test_the_order_of_the_files_is_nothing(origin: Repo) -> None:
    files = [str(origin.folder / name) for name in ("moved", "b", "c")]
    assert read_history(files) == read_history(reversed(files)) == read_history(files * 2)


# ---- any history ----

NAMES = st.sampled_from("abcde")
STEPS = st.lists(
    st.tuples(st.sampled_from(["edit", "delete", "rename", "swap", "rename and edit", "nothing"]), NAMES, NAMES),
    max_size=14,
)


def told(steps: list[tuple[str, str, str]]) -> Iterator[tuple[str, dict[str, str], dict[str, str]]]:
    """Yield for each commit its date, the files there are, and when each changed: the law in a few plain lines."""
    contents: dict[str, str] = {}
    changed: dict[str, str] = {}
    for turn, (step, a, b) in enumerate(steps):
        date = f"2024-01-01T{turn:02}:00:00+00:00"
        if step == "edit":
            contents[a], changed[a] = f"{turn}", date
        elif step == "delete" and a in contents:
            del contents[a], changed[a]
        elif step == "swap" and a in contents and b in contents:
            contents[a], contents[b] = contents[b], contents[a]
            changed[a], changed[b] = changed[b], changed[a]
        elif step.startswith("rename") and a in contents and b not in contents:
            contents[b], changed[b] = contents.pop(a), changed.pop(a)
            if "edit" in step:
                contents[b], changed[b] = f"{turn}", date
        yield date, dict(contents), dict(changed)


@settings(max_examples=25)
@given(STEPS)
@example([("edit", "a", "a"), ("edit", "b", "a"), ("swap", "a", "b"), ("rename", "a", "c"), ("swap", "b", "c")])
def test_any_history(steps: list[tuple[str, str, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        repo = Repo(Path(folder))
        states = list(told(steps))
        # 1704067200 is the first hour of 2024.
        fast_import(repo, ((f"{1704067200 + 3600 * i} +0000", state[1]) for i, state in enumerate(states)))
        assert repo.dates(*"abcde") == (states[-1][2] if states else {})
