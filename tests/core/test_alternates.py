"""Translation groups: every page of one lists all of it, itself too, and nothing else (P3).

By https://developers.google.com/search/docs/specialty/international/localized-versions.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from itertools import permutations
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from sitemap_plugins.core import alternates
from sitemap_plugins.core.alternates import Groups, Translation, group
from sitemap_plugins.core.model import Alternate

BASE = "https://docs.example.org/"
X = "x-default"
DE, EN, FR, IT = (f"{BASE}{code}/" for code in ("de", "en", "fr", "it"))
ABROAD = "https://fr.example.net/"


def page(path: str, hreflang: str = "", key: str = "", **links: str) -> Translation:
    """Return a page by its path, whose language is that path unless told; ``x_default`` and ``en_US`` are tags."""
    return Translation(
        loc=f"{BASE}{path}/",
        hreflang=hreflang or path,
        source=f"{path}.md",
        group=key,
        links=tuple(Alternate(tag.replace("_", "-"), href) for tag, href in links.items()),
    )


def shared(*links: tuple[str, str]) -> tuple[Alternate, ...]:
    return tuple(Alternate(*link) for link in links)


def plain(groups: Groups) -> dict[str, tuple[tuple[str, str], ...]]:
    return dict(groups.alternates)


def problems(groups: Groups) -> list[tuple[str, str]]:
    return [(problem.kind, problem.source) for problem in groups.problems]


# ---- what makes a group ----

DE_EN = (("de", DE), ("en", EN))
DE_EN_FR = (*DE_EN, ("fr", FR))
EN_ABROAD = (("en", EN), ("fr", ABROAD))

# Name: the pages, and the groups that come of them without a problem: each with the pages that have its alternates.
GROUPS: dict[str, tuple[list[Translation], list[tuple[tuple[tuple[str, str], ...], list[str]]]]] = {
    "nothing": ([], []),
    "no key and no link": ([page("en"), page("fr")], []),
    "a key": ([page("en", key="a"), page("de", key="a")], [(DE_EN, [DE, EN])]),
    "a key of one page": ([page("en", key="a"), page("de", key="b"), page("fr")], []),
    "two keys": (
        [page("en", key="a"), page("de", key="a"), page("fr", key="b"), page("it", key="b")],
        [(DE_EN, [DE, EN]), ((("fr", FR), ("it", IT)), [FR, IT])],
    ),
    "a key that is the URL of a page": ([page("en", key=FR), page("de", key=FR), page("fr")], [(DE_EN, [DE, EN])]),
    "links from both sides": ([page("en", de=DE), page("de", en=EN)], [(DE_EN, [DE, EN])]),
    "links from one side": ([page("en", de=DE), page("de")], [(DE_EN, [DE, EN])]),
    "links of a page to itself": ([page("en", en=EN, de=DE), page("de", de=DE)], [(DE_EN, [DE, EN])]),
    "a link of a page to nothing but itself": ([page("en", en=EN)], []),
    "a star": ([page("en", de=DE, fr=FR), page("de"), page("fr")], [(DE_EN_FR, [DE, EN, FR])]),
    "a chain": ([page("en", de=DE), page("de", fr=FR), page("fr")], [(DE_EN_FR, [DE, EN, FR])]),
    "links to one from two": ([page("en", fr=FR), page("de", fr=FR), page("fr")], [(DE_EN_FR, [DE, EN, FR])]),
    "a link that joins a page to a key": (
        [page("en", key="a"), page("de", key="a"), page("fr", en=EN)],
        [(DE_EN_FR, [DE, EN, FR])],
    ),
    "a link that joins two keys": (
        [page("en", key="a"), page("de", key="a", fr=FR), page("fr", key="b"), page("it", key="b")],
        [((*DE_EN_FR, ("it", IT)), [DE, EN, FR, IT])],
    ),
    "a link to another host": ([page("en", fr=ABROAD)], [(EN_ABROAD, [EN])]),
    "a link to another host from two": (
        [page("en", fr=ABROAD), page("de", fr=ABROAD)],
        [((("de", DE), *EN_ABROAD), [DE, EN])],
    ),
    "links to one on another host in two spellings": (
        [page("en", fr_CA=ABROAD), page("de", fr_ca=ABROAD)],
        [((("de", DE), ("en", EN), ("fr-ca", ABROAD)), [DE, EN])],
    ),
    "a link of one to another host": (
        [page("en", key="a"), page("de", key="a", fr=ABROAD)],
        [((("de", DE), *EN_ABROAD), [DE, EN])],
    ),
    "tags that differ in the region": (
        [page("en", key="a"), page("gb", "en-GB", key="a")],
        [((("en", EN), ("en-GB", f"{BASE}gb/")), [EN, f"{BASE}gb/"])],
    ),
    "a link in another spelling than the page's": (
        [page("en", pt_br=f"{BASE}pt/"), page("pt", "pt-BR")],
        [((("en", EN), ("pt-BR", f"{BASE}pt/")), [EN, f"{BASE}pt/"])],
    ),
}


@pytest.mark.parametrize(("pages", "expected"), GROUPS.values(), ids=GROUPS)
def test_what_makes_a_group(
    pages: list[Translation], expected: list[tuple[tuple[tuple[str, str], ...], list[str]]]
) -> None:
    wanted = {loc: links for links, locs in expected for loc in locs}
    for order in permutations(pages):
        made = group(order)
        assert plain(made) == wanted
        assert made.count == len(expected)
        assert made.problems == ()


def test_the_pages_of_a_group_have_one_tuple() -> None:
    made = group([page("en", key="a"), page("de", key="a"), page("fr", en=EN)])
    assert made.alternates[EN] is made.alternates[DE] is made.alternates[FR]


# ---- one page for each language ----


def test_of_two_pages_of_one_language_one_is_listed() -> None:
    pages = [page("de", key="a"), page("en", key="a"), page("en2", "en", key="a")]
    made = group(pages)
    assert plain(made) == {DE: DE_EN, EN: DE_EN}
    assert problems(made) == [("hreflang-twice", "en2.md")]
    (problem,) = made.problems
    assert problem.level == "warning"
    assert problem.message == (
        "en2.md and en.md are both the en page of one translation group, so the former is left out of it. "
        "Give them different languages or translation keys, or take out the link that joins them"
    )
    assert group(pages[::-1]) == made


def test_tags_are_one_in_any_case() -> None:
    made = group([page("a", "en-GB", key="a"), page("b", "en-gb", key="a")])
    assert made.alternates == {}
    assert problems(made) == [("hreflang-twice", "b.md")]


def test_two_pages_of_one_language_alone_are_no_group() -> None:
    made = group([page("en", key="a"), page("en2", "en", key="a")])
    assert (made.alternates, made.count) == ({}, 0)
    assert problems(made) == [("hreflang-twice", "en2.md")]


def test_each_page_too_many_is_a_problem() -> None:
    made = group([page("de", key="a"), *(page(f"en{number}", "en", key="a") for number in range(4))])
    assert problems(made) == [("hreflang-twice", f"en{number}.md") for number in (1, 2, 3)]


def test_a_page_of_this_build_goes_before_a_link_to_another_host() -> None:
    made = group([page("en", fr="https://a.example.net/"), page("fr", key="a", en=EN)])
    assert plain(made) == {EN: (("en", EN), ("fr", FR)), FR: (("en", EN), ("fr", FR))}
    assert problems(made) == [("hreflang-twice", "en.md")]
    assert made.problems[0].message.startswith("https://a.example.net/ (which en.md names) and fr.md are both the fr ")


def test_of_two_links_for_one_language_one_is_listed() -> None:
    made = group([page("en", fr="https://b.example.net/"), page("de", en=EN, fr="https://a.example.net/")])
    assert plain(made)[EN] == (*DE_EN, ("fr", "https://a.example.net/"))
    assert problems(made) == [("hreflang-twice", "en.md")]


def test_a_url_on_another_host_has_one_language() -> None:
    made = group([page("en", key="a", fr=ABROAD), page("de", key="a", fr_CA=ABROAD)])
    assert plain(made)[EN] == (("de", DE), *EN_ABROAD)
    assert problems(made) == [("hreflang-differs", "de.md")]
    assert made.problems[0].message == (
        f"{ABROAD} (which de.md names) is the fr page of its translation group by the word of en.md, so it is not "
        "listed as fr-CA too. Name one language for it"
    )


def test_a_page_says_itself_what_language_it_has() -> None:
    made = group([page("en", fr=DE), page("de")])
    assert plain(made) == {DE: DE_EN, EN: DE_EN}
    assert problems(made) == [("hreflang-differs", "en.md")]
    assert made.problems[0].message == (
        "en.md names de.md as its fr page, but that says of itself that it is de, which counts. "
        "Correct the one or the other"
    )


def test_a_page_without_a_source_goes_by_its_url() -> None:
    made = group([Translation(loc=EN, hreflang="en", group="a"), Translation(loc=FR, hreflang="en", group="a")])
    assert made.problems[0].message.startswith(f"{FR} and {EN} are both")


# ---- pages that are left out ----


def test_a_page_that_is_not_listed_is_in_no_group() -> None:
    made = group([page("en", de=DE, fr=FR), page("fr")], left_out={DE})
    assert plain(made) == {EN: (("en", EN), ("fr", FR)), FR: (("en", EN), ("fr", FR))}
    assert made.problems == ()


def test_a_page_whose_translations_are_not_listed_has_none() -> None:
    assert group([page("en", de=DE, x_default=DE)], left_out={DE}) == Groups(alternates={})


def test_a_page_that_is_not_listed_joins_the_rest() -> None:
    made = group([page("en", de=DE), page("fr", de=DE)], left_out={DE})
    assert plain(made)[EN] == (("en", EN), ("fr", FR))


# ---- x-default ----

CHOOSE = f"{BASE}choose/"
ELSEWHERE = "https://example.com/"

# Name: the pages, the setting, and where the x-default of en's group leads ("": there is none).
FALLBACKS: dict[str, tuple[list[Translation], str, str]] = {
    "none": ([page("en", key="a"), page("de", key="a")], "", ""),
    "a language": ([page("en", key="a"), page("de", key="a")], "en", EN),
    "a language in another case": ([page("en", key="a"), page("br", "pt-BR", key="a")], "pt-br", f"{BASE}br/"),
    "a language on another host": ([page("en", fr=ABROAD)], "fr", ABROAD),
    "a language that the group has not": ([page("en", key="a"), page("de", key="a")], "fr", ""),
    "a language that it has with a region": ([page("en", "en-US", key="a"), page("de", key="a")], "en", ""),
    "a URL": ([page("en", key="a"), page("de", key="a")], ELSEWHERE, ELSEWHERE),
    "a URL of the group": ([page("en", key="a"), page("de", key="a")], DE, DE),
    "a page's link to its translation": ([page("en", de=DE, x_default=DE), page("de")], "", DE),
    "a page's link to itself": ([page("en", de=DE, x_default=EN), page("de")], "", EN),
    "a page's link before a language": ([page("en", de=DE, x_default=DE), page("de")], "en", DE),
    "a page's link before a URL": ([page("en", de=DE, x_default=DE), page("de")], ELSEWHERE, DE),
    "a page's link to another host": ([page("en", de=DE, x_default=ELSEWHERE), page("de")], "en", ELSEWHERE),
    "a page's link to a translation there": ([page("en", fr=ABROAD, x_default=ABROAD)], "en", ABROAD),
    "one link from two": ([page("en", de=DE, x_default=DE), page("de", x_default=DE)], "", DE),
    "a page's link and no translation": ([page("en", x_default=ELSEWHERE)], "", ELSEWHERE),
    "a page to choose on": ([page("en", key="a"), page("de", key="a"), page("choose", X, key="a")], "en", CHOOSE),
    "a page to choose on and a link to it": (
        [page("en", key="a", x_default=CHOOSE), page("de", key="a"), page("choose", X, key="a")],
        "",
        CHOOSE,
    ),
}


@pytest.mark.parametrize(("pages", "x_default", "expected"), FALLBACKS.values(), ids=FALLBACKS)
def test_x_default(pages: list[Translation], x_default: str, expected: str) -> None:
    for order in permutations(pages):
        made = group(order, x_default=x_default)
        links = made.alternates[EN]
        assert [link.href for link in links if link.hreflang == X] == [expected] * bool(expected)
        assert links[-1].hreflang == X or not expected
        assert (made.count, made.problems) == (1, ())


def test_a_page_to_choose_on_has_the_alternates_too() -> None:
    made = group([page("en", key="a"), page("de", key="a"), page("choose", X, key="a")])
    assert plain(made) == dict.fromkeys((CHOOSE, DE, EN), (*DE_EN, (X, CHOOSE)))


def test_every_group_has_its_own_x_default() -> None:
    pages = [page(f"{code}/{key}", code, key=key) for code in ("de", "en") for key in "ab"]
    made = group(pages, x_default="en")
    assert made.count == 2
    for one in pages:
        assert shared((X, f"{BASE}en/{one.group}/")) == made.alternates[one.loc][-1:]


def test_groups_with_one_x_default_are_not_joined_by_it() -> None:
    pages = [page(f"{code}/{key}", code, key=key, x_default=CHOOSE) for code in ("de", "en") for key in "ab"]
    made = group([*pages, page("choose", "en")])
    assert (made.count, made.problems) == (2, ())
    for one in pages:
        assert plain(made)[one.loc] == (
            ("de", f"{BASE}de/{one.group}/"),
            ("en", f"{BASE}en/{one.group}/"),
            (X, CHOOSE),
        )
    assert CHOOSE not in made.alternates


def test_of_two_x_defaults_one_is_listed() -> None:
    pages = [page("en", de=DE, x_default=ELSEWHERE), page("de", x_default=DE), page("fr", en=EN, x_default=ELSEWHERE)]
    made = group(pages)
    assert made.alternates[EN] == shared(*DE_EN_FR, (X, DE))
    assert problems(made) == [("hreflang-twice", "en.md")]
    assert made.problems[0].message == (
        f"{ELSEWHERE} (which en.md names) and de.md are both the x-default of one translation group, so the former is "
        "not listed as that. Name one of them"
    )


# ---- alone ----

ALONE: dict[str, tuple[Translation, str, tuple[tuple[str, str], ...]]] = {
    "itself": (page("en"), "", (("en", EN),)),
    "with a key": (page("en", key="a"), "", (("en", EN),)),
    "of the default language": (page("en"), "en", (("en", EN), (X, EN))),
    "of another language": (page("en"), "de", (("en", EN),)),
    "with a URL": (page("en"), ELSEWHERE, (("en", EN), (X, ELSEWHERE))),
}


@pytest.mark.parametrize(("alone", "x_default", "expected"), ALONE.values(), ids=ALONE)
def test_a_page_without_translations(alone: Translation, x_default: str, expected: tuple[tuple[str, str], ...]) -> None:
    assert group([alone], x_default=x_default) == Groups(alternates={})
    assert group([alone], x_default=x_default, alone=True) == Groups(alternates={EN: shared(*expected)})


def test_a_page_without_translations_beside_a_group() -> None:
    pages = [page("de", key="a"), page("en", key="a"), page("fr")]
    assert set(group(pages).alternates) == {DE, EN}
    made = group(pages, alone=True)
    assert made.alternates[FR] == shared(("fr", FR))
    assert made.count == 1


# ---- laws ----

# Few of each, so that keys, links and languages meet and contradict each other; some of the URLs are on other hosts.
TAGS = ("de", "en", "en-GB", "en-gb", "fr", "pt-BR", "zh-Hant", X)
LOCS = [f"{BASE}{letter}/" for letter in "abcdefgh"]
HREFS = [*LOCS, ABROAD, ELSEWHERE]
KEYS = ("", "", "1", "2", "3", LOCS[0])
OPTIONS = st.fixed_dictionaries(
    {"x_default": st.sampled_from(("", "en", "EN-gb", "fr", LOCS[0], ELSEWHERE)), "alone": st.booleans()}
)


@st.composite
def sites(draw: st.DrawFn, tags: tuple[str, ...] = TAGS) -> tuple[list[Translation], set[str]]:
    """Draw the pages of a site and omit some of them; return the listed ones and the URLs of the others."""
    links = st.builds(Alternate, st.sampled_from(tags), st.sampled_from(HREFS))
    pages = [
        Translation(
            loc=loc,
            hreflang=draw(st.sampled_from(tags)),
            source=loc.removeprefix(BASE),
            group=draw(st.sampled_from(KEYS)),
            links=tuple(draw(st.lists(links, max_size=2))),
        )
        for loc in draw(st.lists(st.sampled_from(LOCS), unique=True))
    ]
    omitted = {one.loc for one in pages if draw(st.integers(0, 3)) == 0}
    return [one for one in pages if one.loc not in omitted], omitted


@given(sites(), OPTIONS)
def test_groups_are_closed_mutual_and_self_listed(site: tuple[list[Translation], set[str]], options: Any) -> None:
    pages, omitted = site
    made = group(pages, left_out=omitted, **options)
    listed = {one.loc: one for one in pages}
    assert set(made.alternates) <= set(listed)
    for loc, links in made.alternates.items():
        # A page is listed in its own language; a group's x-default may be any page.
        assert Alternate(listed[loc].hreflang, loc) in links
        for link in links:
            if link.hreflang == X and link not in {Alternate(one.hreflang, one.loc) for one in pages}:
                assert link.href not in omitted or link.href == options["x_default"]
                continue
            assert link.href not in omitted
            if link.hreflang != X and link.href in listed:
                assert made.alternates[link.href] is links
    event(f"groups: {made.count}")


@given(sites(), OPTIONS)
def test_no_language_and_no_url_twice(site: tuple[list[Translation], set[str]], options: Any) -> None:
    pages, omitted = site
    for links in group(pages, left_out=omitted, **options).alternates.values():
        assert max(Counter(link.hreflang.lower() for link in links).values()) == 1
        hrefs = Counter(link.href for link in links if link.hreflang != X)
        assert not hrefs or max(hrefs.values()) == 1
        assert sorted(links, key=lambda link: (link.hreflang == X, link.hreflang.lower())) == list(links)


@given(sites(), OPTIONS, st.data())
def test_the_order_of_the_pages_changes_nothing(
    site: tuple[list[Translation], set[str]], options: Any, data: st.DataObject
) -> None:
    pages, omitted = site
    made = group(pages, left_out=omitted, **options)
    again = group(iter(data.draw(st.permutations(pages))), left_out=omitted, **options)
    assert again == made
    assert list(again.alternates) == list(made.alternates)


def components(pages: Iterable[Translation]) -> list[tuple[list[Translation], set[str]]]:
    """Return what belongs together, the plain and slow way: pages, and the URLs that they name."""
    found: list[tuple[list[Translation], set[tuple[str, str]]]] = []
    for one in pages:
        marks = {("loc", one.loc)} | {("loc", link.href) for link in one.links if link.hreflang != X}
        marks |= {("key", one.group)} if one.group else set()
        together = [one]
        apart = []
        for others, theirs in found:
            if theirs & marks:
                together += others
                marks |= theirs
            else:
                apart.append((others, theirs))
        found = [*apart, (together, marks)]
    return [(together, {mark for kind, mark in marks if kind == "loc"}) for together, marks in found]


@given(sites(), OPTIONS)
def test_groups_are_what_keys_and_links_join(site: tuple[list[Translation], set[str]], options: Any) -> None:
    pages, omitted = site
    made = group(pages, left_out=omitted, **options)
    for together, hrefs in components(pages):
        own = {one.loc: one.hreflang for one in together}
        named = {link.href for one in together for link in one.links if link.hreflang == X} - omitted
        got = [made.alternates[loc] for loc in own if loc in made.alternates]
        # Whoever has no translation gets none, or itself if so wished.
        if hrefs - omitted == set(own) and len(own) == 1 and not named - set(own):
            assert len(got) == options["alone"]
            continue
        # Nobody is dropped but for a second page of its language.
        languages = {tag.lower() for tag in own.values()}
        assert len(got) in ((len(languages),) if options["alone"] or len(languages) > 1 else (0, 1))
        assert all(links is got[0] for links in got)


@given(sites(), OPTIONS)
def test_the_groups_are_counted(site: tuple[list[Translation], set[str]], options: Any) -> None:
    pages, omitted = site
    made = group(pages, left_out=omitted)
    assert made.count == len({id(links) for links in made.alternates.values()})
    assert made.count == group(pages, left_out=omitted, **options).count


@given(sites(), OPTIONS)
def test_what_is_left_out_of_a_group_is_a_problem(site: tuple[list[Translation], set[str]], options: Any) -> None:
    pages, omitted = site
    made = group(pages, left_out=omitted, **{**options, "alone": True})
    unlisted = {one.source for one in pages if one.loc not in made.alternates}
    assert unlisted <= {problem.source for problem in made.problems}
    assert all(problem.source in {one.source for one in pages} for problem in made.problems)


@given(st.sets(st.tuples(st.sampled_from("abcd"), st.sampled_from(("de", "en", "fr", "it")))), st.booleans())
def test_a_site_that_contradicts_itself_nowhere_has_no_problem(existing: set[tuple[str, str]], linked: bool) -> None:
    groups: Mapping[str, set[str]] = defaultdict(set)
    for key, tag in existing:
        groups[key].add(tag)
    links = {key: {tag: f"{BASE}{tag}/{key}/" for tag in tags} for key, tags in groups.items()}
    pages = [
        page(f"{tag}/{key}", tag, "" if linked else key, **(links[key] if linked else {})) for key, tag in existing
    ]
    made = group(pages, x_default="en")
    assert made.problems == ()
    assert made.count == sum(len(tags) > 1 for tags in groups.values())
    for key, tags in groups.items():
        fallback = [(X, f"{BASE}en/{key}/")] if "en" in tags else []
        expected = shared(*((tag, f"{BASE}{tag}/{key}/") for tag in sorted(tags)), *fallback)
        for tag in tags:
            assert made.alternates.get(f"{BASE}{tag}/{key}/", ()) == (expected if len(tags) > 1 else ())


# ---- time ----


def keyed(size: int) -> list[Translation]:
    return [page(f"{number}", f"t{number % 10}", key=f"{number // 10}") for number in range(size)]


def chain(size: int) -> list[Translation]:
    return [page(f"{number:06}", f"t{number}", fr=f"{BASE}{number + 1:06}/") for number in range(size)]


def backwards(size: int) -> list[Translation]:
    return [page(f"{number:06}", f"t{number}", fr=f"{BASE}{max(number - 1, 0):06}/") for number in range(size)]


def star(size: int) -> list[Translation]:
    return [page(f"{number:06}", f"t{number}", fr=f"{BASE}{size // 2:06}/") for number in range(size)]


def deep(size: int) -> list[Translation]:
    """Join a set to one whose root comes before its own, again and again."""
    return [page(f"{number:06}", f"t{number}", f"{size - number:06}", fr=ABROAD) for number in range(size)]


@pytest.mark.parametrize("made", [keyed, chain, backwards, star, deep])
def test_it_takes_steps_in_proportion_to_the_pages(
    made: Callable[[int], list[Translation]], monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: Counter[str] = Counter()

    class Counted(dict[Any, Any]):
        def get(self, key: Any, default: Any = None) -> Any:
            steps["taken"] += 1
            return super().get(key, default)

    class Joined(alternates._Joined):
        def __init__(self) -> None:
            self._parents = Counted()

    monkeypatch.setattr(alternates, "_Joined", Joined)
    per_page = {}
    for size in (500, 4000):
        steps.clear()
        group(made(size))
        per_page[size] = steps["taken"] / size
    assert per_page[4000] <= 1.3 * per_page[500]
    assert per_page[4000] < 20


def test_the_alternates_of_a_group_are_made_once() -> None:
    made = group(keyed(1000))
    assert len(made.alternates) == 1000
    assert len({id(links) for links in made.alternates.values()}) == made.count == 100
