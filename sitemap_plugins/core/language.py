"""Language tags: any spelling a site uses as the hreflang that Google takes, or with what was probably meant (P3)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType

NO_ALIASES: Mapping[str, str] = MappingProxyType({})
X_DEFAULT = "x-default"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _pairs(text: str) -> dict[str, str]:
    return dict(word.split("=", 1) for word in text.split())


# ISO 639-1, its 183 languages of 2026-02 (https://www.loc.gov/standards/iso639-2/php/code_list.php).
LANGUAGES = _words("""
    aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en
    eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja
    jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb
    nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq
    sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
""")

# ISO 15924, its 226 scripts of 2026-02 (https://www.unicode.org/iso15924/iso15924-codes.html).
SCRIPTS = _words("""
    Adlm Afak Aghb Ahom Arab Aran Armi Armn Avst Bali Bamu Bass Batk Beng Berf Bhks Blis Bopo Brah Brai Bugi Buhd
    Cakm Cans Cari Cham Cher Chis Chrs Cirt Copt Cpmn Cprt Cyrl Cyrs Deva Diak Dogr Dsrt Dupl Egyd Egyh Egyp Elba
    Elym Ethi Gara Geok Geor Glag Gong Gonm Goth Gran Grek Gujr Gukh Guru Hanb Hang Hani Hano Hans Hant Hatr Hebr
    Hira Hluw Hmng Hmnp Hntl Hrkt Hung Inds Ital Jamo Java Jpan Jurc Kali Kana Kawi Khar Khmr Khoj Kitl Kits Knda
    Kore Kpel Krai Kthi Lana Laoo Latf Latg Latn Leke Lepc Limb Lina Linb Lisu Loma Lyci Lydi Mahj Maka Mand Mani
    Marc Maya Medf Mend Merc Mero Mlym Modi Mong Moon Mroo Mtei Mult Mymr Nagm Nand Narb Nbat Newa Nkdb Nkgb Nkoo
    Nshu Ogam Olck Onao Orkh Orya Osge Osma Ougr Palm Pauc Pcun Pelm Perm Phag Phli Phlp Phlv Phnx Piqd Plrd Prti
    Psin Qaaa Qabx Ranj Rjng Rohg Roro Runr Samr Sara Sarb Saur Seal Sgnw Shaw Shrd Shui Sidd Sidt Sind Sinh Sogd
    Sogo Sora Soyo Sund Sunu Sylo Syrc Syre Syrj Syrn Tagb Takr Tale Talu Taml Tang Tavt Tayo Telu Teng Tfng Tglg
    Thaa Thai Tibt Tirh Tnsa Todr Tols Toto Tutg Ugar Vaii Visp Vith Wara Wcho Wole Xpeo Xsux Yezi Yiii Zanb Zinh
    Zmth Zsye Zsym Zxxx Zyyy Zzzz
""")

# ISO 3166-1 alpha-2, its 249 countries and territories of 2026-02 (https://www.iso.org/obp/ui/#search).
REGIONS = _words("""
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
    CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO
    FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE
    JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO
    MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW
    PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM
    TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
""")

# The registry of BCP 47 of 2026-09-17 (https://www.iana.org/assignments/language-subtag-registry): areas of UN M.49,
# variants, and extended languages, each with the language before it (RFC 5646, 2.2.2); those of "sgn" go by their form.
_AREAS = _words("""
    001 002 003 005 009 011 013 014 015 017 018 019 021 029 030 034 035 039 053 054 057 061 142 143 145 150 151 154
    155 202 419
""")
_VARIANTS = _words("""
    1606nict 1694acad 1901 1959acad 1994 1996 abl1943 akhmimic akuapem alalc97 aluku anpezo ao1990 aranes arevela
    arevmda arkaika asante auvern baku1926 balanka barla basiceng bauddha bciav bcizbl biscayan biske blasl bohairic
    bohoric boont bornholm cisaup colb1945 cornu creiss dajnko ekavsk emodeng fascia fayyumic fodom fonipa fonkirsh
    fonnapa fonupa fonxsamp gallo gascon gherd grclass grital grmistr hanoi hepburn heploc hognorsk hsistemo huett
    ijekavsk itihasa ivanchov jauer jyutping kkcor kleinsch kociewie kscor laukika leidentr lemosin lengadoc lipaw
    ltg1929 ltg2007 luna1918 lycopol mdcegyp mdctrans mesokem metelko moderat monoton ndyuka nedis newfound nicard
    njiva nulik osojs oxendict pahawh2 pahawh3 pahawh4 pamaka peano pehoeji petr1708 pinyin polyton provenc puter
    radikalt rigik rozaj rumgr sahidic saigon scotland scouse simple slepe solba sotav spanglis stadi surmiran
    sursilv sutsilv synnejyl taglish tailo tarask tongyong tunumiit uccor ucrcor ulster unifon vaidika valbadia
    valencia vallader vecdruka viennese vivaraup wadegile xsistemo
""")
_EXTENDED = _pairs("""
    aao=ar abh=ar abv=ar acm=ar acq=ar acw=ar acx=ar acy=ar adf=ar aeb=ar aec=ar afb=ar ajp=ar apc=ar apd=ar arb=ar
    arq=ar ars=ar ary=ar arz=ar auz=ar avl=ar ayh=ar ayl=ar ayn=ar ayp=ar bbz=ar bjn=ms btj=ms bve=ms bvu=ms cdo=zh
    cjy=zh cmn=zh cnp=zh coa=ms cpx=zh csp=zh czh=zh czo=zh dup=ms gan=zh gom=kok hak=zh hji=ms hnm=zh hsn=zh jak=ms
    jax=ms knn=kok kvb=ms kvr=ms kxd=ms lce=ms lcf=ms liw=ms ltg=lv luh=zh lvs=lv lzh=zh max=ms meo=ms mfa=ms mfb=ms
    min=ms mnp=zh mqg=ms msi=ms mui=ms nan=zh orn=ms ors=ms pel=ms pga=ar pse=ms shu=ar sjc=zh ssh=ar swc=sw swh=sw
    tmw=ms urk=ms uzn=uz uzs=uz vkk=ms vkt=ms wuu=zh xmm=ms yue=zh zlm=ms zmi=ms zsm=ms
""")

# ISO 639-2, both terminologic and bibliographic: the three letters of each language that has two (on the page of
# ISO 639-1).
_TWO_LETTERS = _pairs("""
    aar=aa abk=ab afr=af aka=ak alb=sq amh=am ara=ar arg=an arm=hy asm=as ava=av ave=ae aym=ay aze=az bak=ba bam=bm
    baq=eu bel=be ben=bn bis=bi bod=bo bos=bs bre=br bul=bg bur=my cat=ca ces=cs cha=ch che=ce chi=zh chu=cu chv=cv
    cor=kw cos=co cre=cr cym=cy cze=cs dan=da deu=de div=dv dut=nl dzo=dz ell=el eng=en epo=eo est=et eus=eu ewe=ee
    fao=fo fas=fa fij=fj fin=fi fra=fr fre=fr fry=fy ful=ff geo=ka ger=de gla=gd gle=ga glg=gl glv=gv gre=el grn=gn
    guj=gu hat=ht hau=ha heb=he her=hz hin=hi hmo=ho hrv=hr hun=hu hye=hy ibo=ig ice=is ido=io iii=ii iku=iu ile=ie
    ina=ia ind=id ipk=ik isl=is ita=it jav=jv jpn=ja kal=kl kan=kn kas=ks kat=ka kau=kr kaz=kk khm=km kik=ki kin=rw
    kir=ky kom=kv kon=kg kor=ko kua=kj kur=ku lao=lo lat=la lav=lv lim=li lin=ln lit=lt ltz=lb lub=lu lug=lg mac=mk
    mah=mh mal=ml mao=mi mar=mr may=ms mkd=mk mlg=mg mlt=mt mon=mn mri=mi msa=ms mya=my nau=na nav=nv nbl=nr nde=nd
    ndo=ng nep=ne nld=nl nno=nn nob=nb nor=no nya=ny oci=oc oji=oj ori=or orm=om oss=os pan=pa per=fa pli=pi pol=pl
    por=pt pus=ps que=qu roh=rm ron=ro rum=ro run=rn rus=ru sag=sg san=sa sin=si slk=sk slo=sk slv=sl sme=se smo=sm
    sna=sn snd=sd som=so sot=st spa=es sqi=sq srd=sc srp=sr ssw=ss sun=su swa=sw swe=sv tah=ty tam=ta tat=tt tel=te
    tgk=tg tgl=tl tha=th tib=bo tir=ti ton=to tsn=tn tso=ts tuk=tk tur=tr twi=tw uig=ug ukr=uk urd=ur uzb=uz ven=ve
    vie=vi vol=vo wel=cy wln=wa wol=wo xho=xh yid=yi yor=yo zha=za zho=zh zul=zu
""")

# What stands first in a tag and is no language of ISO 639-1, with what is probably meant: old codes, countries,
# the usual languages that are part of a larger one in ISO 639-3, and names.
_MEANT = {
    **{code: first for code, first in _EXTENDED.items() if first in LANGUAGES},
    **_TWO_LETTERS,
    **_pairs("""
    in=id iw=he ji=yi jw=jv mo=ro hbs=sr-Latn sh=sr-Latn
    ae=ar-AE al=sq at=de-AT au=en-AU bd=bn by=be cl=es-CL cn=zh cz=cs dk=da ec=es-EC eg=ar-EG gb=en-GB ge=ka gr=el
    hk=zh-HK il=he iq=ar-IQ ir=fa jo=ar-JO jp=ja ke=en-KE kz=kk ma=ar-MA md=ro-MD me=sr-ME mx=es-MX nz=en-NZ pe=es-PE
    ph=tl pk=ur-PK py=es-PY qa=ar-QA rs=sr sp=es tj=tg tm=tk ua=uk us=en-US uy=es-UY ve=es-VE vn=vi
    azj=az chs=zh-Hans cht=zh-Hant ckb=ku ekk=et fil=tl khk=mn kmr=ku npi=ne ory=or pes=fa plt=mg prs=fa-AF ydd=yi
    arabic=ar chinese=zh czech=cs deutsch=de dutch=nl english=en french=fr german=de italian=it japanese=ja korean=ko
    polish=pl portuguese=pt russian=ru spanish=es turkish=tr ukrainian=uk default=x-default xdefault=x-default
    """),
}
# The same for what follows the language.
_PART_MEANT = _pairs("""
    bu=MM dd=DE fx=FR tp=TL uk=GB yd=YE zr=CD
    arg=AR aus=AU aut=AT bel=BE bra=BR can=CA che=CH chn=CN cze=CZ deu=DE dnk=DK egy=EG esp=ES fin=FI fra=FR gbr=GB
    grc=GR hkg=HK idn=ID ind=IN irl=IE isr=IL ita=IT jpn=JP kor=KR mex=MX nld=NL nor=NO nzl=NZ pol=PL prt=PT rus=RU
    sau=SA swe=SE tha=TH tur=TR twn=TW ukr=UA usa=US vnm=VN zaf=ZA
    chs=Hans cht=Hant latin=Latn cyrillic=Cyrl
""")
# Languages of ISO 639-1 that are rarer than the mistake: the language, what is often meant, and its tag.
_DOUBTS = {
    "ch": ("Chamorro", "German in Switzerland", "de-CH"),
    "ee": ("Ewe", "Estonian", "et"),
    "kr": ("Kanuri", "Korean", "ko"),
    "se": ("Northern Sami", "Swedish", "sv"),
    "tw": ("Twi", "Chinese in Taiwan", "zh-TW"),
}
# ISO 639-1: codes taken back, some of which are regions as well; hbs is what ISO 639-2 had for sh.
_WITHDRAWN = _words("bh hbs in iw ji jw mo sh")
# ISO 639-2: codes that say that the language is none, several or unknown.
_NO_LANGUAGE = _words("mis mul und zxx")

# RFC 5646, 2.1 "langtag"; the grandfathered tags are deprecated, and those of private use mean nothing to a stranger.
_TAG = re.compile(
    r"(?P<language>[A-Za-z]{2,8})(?:-(?P<extended>[A-Za-z]{3}))?(?:-(?P<script>[A-Za-z]{4}))?"
    r"(?:-(?P<region>[A-Za-z]{2}|[0-9]{3}))?"
    r"(?P<variants>(?:-(?:[A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*)"
    r"(?P<more>(?:-[0-9A-WYZa-wyz](?:-[A-Za-z0-9]{2,8})+)*(?:-[Xx](?:-[A-Za-z0-9]{1,8})+)?)"
)
_SINGLETON = re.compile(r"(?<=-)[0-9a-wyz](?=-)")
_PART = re.compile("[A-Za-z0-9]+")
# The locale names of POSIX (8.2): language[_territory][.codeset][@modifier].
_CODESET = re.compile(r"(?:ansi|ascii|big|cp|euc|gb|iso|koi|sjis|utf|windows)[a-z0-9_-]*", re.IGNORECASE | re.ASCII)
_SCRIPT_MODIFIERS = _pairs("arabic=Arab cyrillic=Cyrl devanagari=Deva iqtelif=Latn latin=Latn")

_WRITE = "write a language of two letters, with a script or a region where needed, such as en, zh-Hant or pt-BR"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """A language tag as it may be written, or the reason why it may not.

    ``value`` is in canonical case (``zh-Hant-TW``, ``x-default``), or what was written if it is no tag at all.
    ``problem`` is empty where all is well; else it says what is wrong and what was probably meant. ``kept`` tells
    whether Google takes the tag. ``bcp47`` marks one that BCP 47 has and Google does not: an owner may keep it.
    """

    value: str
    problem: str = ""
    kept: bool = True
    bcp47: bool = False


def to_hreflang(written: str, *, aliases: Mapping[str, str] = NO_ALIASES) -> Tag:
    """Return a language as a site writes it as a hreflang by Google's rule.

    That is an ISO 639-1 language, then an ISO 15924 script or an ISO 3166-1 alpha-2 region or both, or ``x-default``
    (https://developers.google.com/search/docs/specialty/international/localized-versions). Case, ``zh_TW`` and POSIX
    locales (``de_AT.UTF-8``, ``sr@latin``) are put right without a word. ``aliases`` are the owner's, from a whole tag
    to a whole tag, in any spelling; they come first, once, and what they give is judged as well but not doubted.
    """
    text, subject = written.strip(), _shown(written)
    alias = _alias(text, aliases)
    if alias is not None:
        text = alias.strip()
        subject = f"{subject}, mapped to {_shown(alias)},"
    tag = _verdict(text, doubted=alias is None)
    return replace(tag, problem=f"{subject} {tag.problem}") if tag.problem else tag


def same(one: str, other: str) -> bool:
    """Tell whether two tags are one: case does not count (RFC 5646, 2.1.1)."""
    return one.lower() == other.lower()


def _alias(text: str, aliases: Mapping[str, str]) -> str | None:
    if not aliases:
        return None
    key = _hyphens(text).lower()
    return next((tag for habit, tag in aliases.items() if _hyphens(habit.strip()).lower() == key), None)


def _hyphens(text: str) -> str:
    return text.replace("_", "-")


def _shown(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:39]}…")


# A site has few languages and names them on every page.
@lru_cache(maxsize=1024)
def _verdict(text: str, *, doubted: bool) -> Tag:
    if not text:
        return Tag(value="", problem=f"is no language; {_WRITE}", kept=False)
    if same(_hyphens(text), X_DEFAULT):
        return Tag(value=X_DEFAULT)
    locale, at, modifier = text.partition("@")
    locale, dot, codeset = locale.partition(".")
    if text in ("C", "POSIX") or (dot and locale in ("C", "POSIX")):
        return _refused(text, "it is the locale of no language")
    if dot and not _CODESET.fullmatch(codeset):
        return _refused(text, "only letters, digits and hyphens stand in a tag")
    parts = _hyphens(locale).split("-")
    if at and not _modified(parts, modifier.lower()):
        return _refused(text, "a tag has no place for what follows the @")
    match = _TAG.fullmatch("-".join(parts))
    if match:
        return _judged(text, match, doubted=doubted)
    if same(parts[0], "x"):
        return _refused(text, "tags for private use mean nothing to a search engine")
    if all(_PART.fullmatch(part) for part in parts):
        return _refused(text, "its parts are not a language, a script and a region, in this order")
    return _refused(text, "only letters, digits and single hyphens stand in a tag")


def _modified(parts: list[str], modifier: str) -> bool:
    """Put the modifier of a POSIX locale among the parts of its tag; tell whether that can be done."""
    script = _SCRIPT_MODIFIERS.get(modifier, modifier.title())
    if script in SCRIPTS:
        if not same("-".join(parts[1:2]), script):
            parts.insert(1, script)
    elif modifier in _VARIANTS:
        parts.append(modifier)
    else:
        # The currency says nothing of the language.
        return modifier == "euro"
    return True


def _judged(text: str, match: re.Match[str], *, doubted: bool) -> Tag:
    language, extended = match["language"].lower(), (match["extended"] or "").lower()
    script, region = (match["script"] or "").title(), (match["region"] or "").upper()
    variants, more = match["variants"].lower(), match["more"].lower()
    fault = (
        _fault_of_language(language, alone=match[0] == match["language"])
        or _fault_of_place(language, extended, script, region)
        or _fault_of_rest(variants, more)
    )
    if fault:
        return _refused(text, fault)
    # The canonical form leaves out the language before an extended one (RFC 5646, 4.5).
    value = "-".join(filter(None, (extended or language, script, region))) + variants + more
    beyond = _beyond_google(extended or language, region, variants, more)
    if beyond:
        meant = _meant(value)
        nearest = f"the nearest that it takes is {meant}" if meant else "it takes none for this language"
        if same(value, "es-419"):
            nearest += ", or one for each country, such as es-MX"
        problem = f"is a tag that Google does not take: {beyond}; {nearest}"
        return Tag(value=value, problem=problem, kept=False, bcp47=True)
    if doubted and language in _DOUBTS and region in ("", language.upper()):
        name, other, tag = _DOUBTS[language]
        problem = f"is {name}, and {other} is {tag}; write {tag} if that is meant, or map {text} to {value}"
        return Tag(value=value, problem=problem)
    return Tag(value=value)


def _fault_of_language(language: str, *, alone: bool) -> str:
    if language in LANGUAGES:
        return ""
    if language in _WITHDRAWN:
        return f"{language} is no longer a language of ISO 639-1"
    if len(language) == 2:
        if language.upper() in REGIONS:
            place = "the language is missing" if alone else "the language comes first"
            return f"{language.upper()} is a region, and {place}"
        return f"{language} is no language of ISO 639-1"
    if language in _TWO_LETTERS:
        return f"{language} has a code of two letters, {_TWO_LETTERS[language]}, and only that counts"
    if language in _NO_LANGUAGE or (len(language) == 3 and "qaa" <= language <= "qtz"):
        return f"{language} names no language"
    if language == "pot" and alone:
        return "pot is the folder of gettext's templates"
    # RFC 5646, 2.2.1: four letters are reserved, and of five to eight none are registered.
    return f"{language} is no language of ISO 639" if len(language) > 3 else ""


def _fault_of_place(language: str, extended: str, script: str, region: str) -> str:
    if extended and language != "sgn" and _EXTENDED.get(extended) != language:
        return f"{extended.upper()} is no region: those of ISO 3166-1 alpha-2 have two letters"
    if script and script not in SCRIPTS:
        return f"{script} is no script of ISO 15924"
    if not region or region in REGIONS or region in _AREAS or region == "XK":
        return ""
    return f"{region} is no region of ISO 3166-1 alpha-2"


def _fault_of_rest(variants: str, more: str) -> str:
    # RFC 5646, 2.2.9: a valid tag has registered parts only, and neither a variant nor a singleton twice.
    seen: set[str] = set()
    for variant in variants.split("-")[1:]:
        if variant not in _VARIANTS:
            return f"{variant} is neither a script nor a region"
        if variant in seen:
            return f"{variant} stands there twice"
        seen.add(variant)
    singletons = _SINGLETON.findall(more.partition("-x-")[0])
    return "" if len(singletons) == len(set(singletons)) else "it has the same extension twice"


def _beyond_google(language: str, region: str, variants: str, more: str) -> str:
    if len(language) > 2:
        return f"{language} has no code of two letters in ISO 639-1"
    if region in _AREAS:
        return f"{region} is an area and no country of ISO 3166-1"
    if region == "XK":
        return "XK, Kosovo, is not in ISO 3166-1"
    if variants or more:
        return f"{(variants + more)[1:]} is more than a language, a script and a region"
    return ""


def _refused(text: str, fault: str) -> Tag:
    meant = _meant(text)
    cure = f"you probably mean {meant}" if meant else _WRITE
    return Tag(value=text, problem=f"is no hreflang: {fault}; {cure}", kept=False)


def _meant(text: str) -> str:
    """Return the tag by Google's rule that somebody probably meant, or an empty text."""
    first, *rest = _PART.findall(text) or [""]
    first = first.lower()
    known = first if first in LANGUAGES else _MEANT.get(first, "")
    if not known or known == X_DEFAULT:
        return known
    language, *parts = known.split("-")
    script = region = ""
    for part in [*parts, *rest]:
        # From here on the parts have another meaning (RFC 5646, 2.2.6 and 2.2.7).
        if len(part) == 1:
            break
        if part.lower() == first and part.upper() not in REGIONS:
            continue
        likely = _PART_MEANT.get(part.lower(), part)
        if likely.title() in SCRIPTS:
            script = script or likely.title()
        elif likely.upper() in REGIONS:
            region = region or likely.upper()
    return "-".join(filter(None, (language, script, region)))
