"""Settings of the reading room's blog in three languages, one of them on a domain of its own."""

SITENAME = "The Reading Room"
SITEURL = "https://readingroom.example"
AUTHOR = "The Keepers"
TIMEZONE = "Europe/Berlin"
DEFAULT_LANG = "en"
PATH = "content"
OUTPUT_PATH = "site"

PLUGINS = ["i18n_subsites", "sitemap_plugins.pelican"]
I18N_SUBSITES = {
    "de": {"SITENAME": "Der Lesesaal"},
    "fr": {"SITENAME": "La Salle de Lecture", "SITEURL": "https://salledelecture.example"},
}
SITEMAP = {"lastmod": "meta"}

THEME = "simple"
ARTICLE_URL = ARTICLE_SAVE_AS = "{slug}.html"
DIRECT_TEMPLATES = ["index", "archives"]
AUTHOR_SAVE_AS = ""
DEFAULT_CATEGORY = "notes"
FEED_ALL_ATOM = CATEGORY_FEED_ATOM = AUTHOR_FEED_ATOM = AUTHOR_FEED_RSS = TRANSLATION_FEED_ATOM = None
