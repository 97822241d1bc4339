"""Files that are replaced as a whole or not at all (P6)."""

from __future__ import annotations

import gzip
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from errno import EISDIR
from html import unescape
from pathlib import Path
from types import TracebackType
from typing import IO, Self
from urllib.parse import unquote
from uuid import uuid4
from xml.etree.ElementTree import ParseError, iterparse

from sitemap_plugins.core import lastmod, limits
from sitemap_plugins.core.errors import SitemapError

# Level 9 makes files a fifth smaller for four times the time.
_GZIP_LEVEL = 6
_CHUNK = 1 << 20
_LOC = re.compile(rb"<loc>\s*([^<]*?)\s*</loc>")


class Stage(AbstractContextManager["Stage"]):
    """Temporary files beside their places, put there all together by ``commit`` or removed on leaving."""

    def __init__(self) -> None:
        self._temporary: list[Path] = []
        self._places: list[tuple[Path, Path]] = []
        self._stale: list[Path] = []

    def temporary(self, folder: Path) -> Path:
        """Return a new name for a file in ``folder``, which is made if it is not there."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"sitemap-plugins-{uuid4().hex}.tmp"
        self._temporary.append(path)
        return path

    def place(self, temporary: Path, path: Path) -> None:
        """Say where a temporary file belongs; places are taken in the order in which they were named."""
        self._places.append((temporary, path))

    @contextmanager
    def open(self, path: Path) -> Iterator[IO[bytes]]:
        """Open a new file that takes its place at ``path`` on commit."""
        temporary = self.temporary(path.parent)
        with temporary.open("xb") as file:
            yield file
        self.place(temporary, path)

    def remove(self, paths: Iterable[Path]) -> None:
        """Say which files of an earlier build are to go."""
        self._stale.extend(paths)

    def commit(self) -> None:
        """Put every file in its place, then remove what is stale.

        Raises OSError where one of them cannot be put there; the old files are then back in their places.
        """
        for _, path in self._places:
            if path.is_dir():
                raise IsADirectoryError(EISDIR, "a folder stands where this file belongs; move it away", str(path))
        done: list[tuple[Path, Path | None]] = []
        try:
            for temporary, path in self._places:
                done.append((path, self._backup(path)))
                temporary.replace(path)
        except OSError:
            for path, backup in reversed(done):
                with suppress(OSError):
                    if backup is None:
                        path.unlink(missing_ok=True)
                    else:
                        backup.replace(path)
            raise
        for path in self._stale:
            path.unlink(missing_ok=True)

    def _backup(self, path: Path) -> Path | None:
        """Return a second name of a file, or None where there is no such file."""
        if not path.exists() and not path.is_symlink():
            return None
        backup = self.temporary(path.parent)
        try:
            os.link(path, backup, follow_symlinks=False)
        except (OSError, NotImplementedError):
            shutil.copy2(path, backup, follow_symlinks=False)
        return backup

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for path in self._temporary:
            with suppress(OSError):
                path.unlink(missing_ok=True)


class Part(AbstractContextManager["Part"]):
    """A sitemap or index being written, with its gzip copy where one is wanted, counting what goes in.

    ``size`` is in bytes before compression; ``lastmod`` is the newest of its URLs', empty unless all have one.
    """

    def __init__(self, stage: Stage, folder: Path, *, zipped: bool) -> None:
        self.size = self.urls = 0
        self.lastmod = ""
        self.plain = stage.temporary(folder)
        self.zipped = stage.temporary(folder) if zipped else None
        self._file = self.plain.open("xb")
        self._zipped_file: IO[bytes] | None = None
        self._gzip: gzip.GzipFile | None = None
        if self.zipped is not None:
            self._zipped_file = self.zipped.open("xb")
            # No name and no time in the header, so that the same sitemap gives the same bytes.
            self._gzip = gzip.GzipFile(
                filename="", mode="wb", fileobj=self._zipped_file, compresslevel=_GZIP_LEVEL, mtime=0
            )

    def write(self, content: bytes) -> None:
        """Write bytes that hold no entry."""
        self._file.write(content)
        if self._gzip is not None:
            self._gzip.write(content)
        self.size += len(content)

    def add(self, content: bytes, dates: Iterable[str], count: int) -> None:
        """Write the entries of ``count`` URLs, whose lastmods are ``dates``."""
        self.write(content)
        newest = lastmod.newest(dates)
        self.lastmod = newest if not self.urls else lastmod.newest((self.lastmod, newest))
        self.urls += count

    def check(self) -> None:
        """Raise SitemapError unless the closed file is well-formed XML with as many ``url`` elements as it should have.

        Only a template of the user's can break it.
        """
        found = 0
        try:
            for _, element in iterparse(self.plain):  # noqa: S314 - it reads what we wrote
                found += element.tag.rpartition("}")[2] == "url"
                element.clear()
        except ParseError as error:
            raise SitemapError(
                f"what the templates write is not well-formed XML ({error}); mend those in the folder that the "
                "setting templates names"
            ) from error
        if found != self.urls:
            raise SitemapError(
                f"the templates write {found} url elements for {self.urls} URLs; mend url.xml.j2 in the folder that "
                "the setting templates names"
            )

    def close(self) -> None:
        """Finish the files; closing them again does nothing."""
        for file in (self._gzip, self._zipped_file, self._file):
            if file is not None:
                file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def parts_of(index: Path) -> list[str]:
    """Return the names of the part files that an index of an earlier build lists; none where it is no index.

    Only these were written by us: another file of such a name is the owner's.
    """
    try:
        with index.open("rb") as file:
            content = file.read(limits.MAX_BYTES)
    except OSError:
        return []
    if b"<sitemapindex" not in content[:1_000]:
        return []
    name = re.compile(re.escape(index.stem) + r"-\d+\.xml")
    listed = (unquote(unescape(os.fsdecode(loc)).rpartition("/")[2]) for loc in _LOC.findall(content))
    return [part for part in listed if name.fullmatch(part)]


def is_copy(zipped: Path, plain: Path) -> bool:
    """Tell whether a gzip file holds just what another file does."""
    try:
        with gzip.open(zipped) as unzipped, plain.open("rb") as file:
            while True:
                chunk = file.read(_CHUNK)
                # gzip may give less than asked for, so read on until the count is right or its end has come.
                other = b""
                while len(other) < len(chunk) and (more := unzipped.read(len(chunk) - len(other))):
                    other += more
                if chunk != other:
                    return False
                if not chunk:
                    return not unzipped.read(1)
    except (OSError, EOFError):
        return False
