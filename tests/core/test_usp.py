"""Our files read back by ultimate-sitemap-parser, from robots.txt on, as a crawler finds them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from http import HTTPStatus
from pathlib import Path

import pytest
from usp.objects.page import SitemapPageChangeFrequency as Changefreq
from usp.objects.sitemap import IndexRobotsTxtSitemap, IndexXMLSitemap, PagesXMLSitemap
from usp.tree import sitemap_from_str, sitemap_tree_for_homepage
from usp.web_client.abstract_client import (
    AbstractWebClient,
    AbstractWebClientResponse,
    AbstractWebClientSuccessResponse,
    WebClientErrorResponse,
)

from sitemap_plugins.core.model import Page
from tests.core.make import BASE, page, tree, written


@dataclass
class _Found(AbstractWebClientSuccessResponse):
    content: bytes
    address: str

    def status_code(self) -> int:
        return HTTPStatus.OK.value

    def status_message(self) -> str:
        return HTTPStatus.OK.phrase

    def header(self, case_insensitive_name: str) -> str | None:
        return None

    def raw_data(self) -> bytes:
        return self.content

    def url(self) -> str:
        return self.address


@dataclass
class _Folder(AbstractWebClient):
    """A web client that knows one site: the files in a folder."""

    files: dict[str, bytes]

    def set_max_response_data_length(self, max_response_data_length: int | None) -> None:
        pass

    def get(self, url: str) -> AbstractWebClientResponse:
        content = self.files.get(url.removeprefix(BASE))
        if content is None:
            return WebClientErrorResponse(message="not found", retryable=False)
        return _Found(content, url)


PAGES = [
    page("a/", meta={"date": "2026-01-01", "sitemap": {"priority": 0.8, "changefreq": "daily"}}),
    page("b&'c/", meta={"date": datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone(timedelta(hours=2)))}),
    page("naïve/"),
]
EXPECTED = [
    (BASE + "a/", datetime(2026, 1, 1, tzinfo=UTC), Decimal("0.8"), Changefreq.DAILY),
    (BASE + "b&'c/", datetime(2026, 1, 2, 1, 4, 5, tzinfo=UTC), Decimal("0.5"), None),
    (BASE + "na%C3%AFve/", None, Decimal("0.5"), None),  # 0.5 is the protocol's default
]


def found(sitemap: object) -> list[tuple[str, datetime | None, Decimal, Changefreq | None]]:
    entries = []
    for entry in sitemap.all_pages():  # type: ignore[attr-defined] # its classes share this method
        moment = entry.last_modified
        if moment is not None and moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        entries.append((entry.url, moment, entry.priority, entry.change_frequency))
    return entries


def test_one_file(tmp_path: Path) -> None:
    written(tmp_path, PAGES)
    sitemap = sitemap_from_str(tree(tmp_path)["sitemap.xml"].decode())
    assert isinstance(sitemap, PagesXMLSitemap)
    assert found(sitemap) == EXPECTED


@pytest.mark.parametrize("max_urls", [1, 2, 3])
def test_from_robots_txt_on(tmp_path: Path, max_urls: int) -> None:
    written(tmp_path, PAGES, max_urls=max_urls)
    root = sitemap_tree_for_homepage(BASE, web_client=_Folder(tree(tmp_path)), use_known_paths=False)
    (robots,) = root.sub_sitemaps
    assert isinstance(robots, IndexRobotsTxtSitemap)
    (sitemap,) = robots.sub_sitemaps
    assert sitemap.url == BASE + "sitemap.xml"
    assert isinstance(sitemap, PagesXMLSitemap if max_urls == 3 else IndexXMLSitemap)
    assert found(sitemap) == EXPECTED


def test_a_gz_is_read_too(tmp_path: Path) -> None:
    written(tmp_path, PAGES)
    files = tree(tmp_path)
    del files["sitemap.xml"]
    files["robots.txt"] = files["robots.txt"].replace(b"sitemap.xml", b"sitemap.xml.gz")
    root = sitemap_tree_for_homepage(BASE, web_client=_Folder(files), use_known_paths=False)
    assert found(root) == EXPECTED


def test_many(tmp_path: Path) -> None:
    written(tmp_path, [Page(url=f"{n:04}/") for n in range(2_500)], max_urls=1_000)
    root = sitemap_tree_for_homepage(BASE, web_client=_Folder(tree(tmp_path)), use_known_paths=False)
    assert [url for url, *_ in found(root)] == [f"{BASE}{n:04}/" for n in range(2_500)]
