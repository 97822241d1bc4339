"""Settings of the blog of Slow Loaf."""

SITENAME = "Slow Loaf"
SITEURL = "https://blog.slowloaf.example"
AUTHOR = "Inês"
TIMEZONE = "Europe/Lisbon"
DEFAULT_LANG = "en"
PATH = "content"
OUTPUT_PATH = "site"

PLUGINS = ["sitemap_plugins.pelican"]
SITEMAP = {
    "lastmod": "meta",
    "include": "*.pdf",
    "rules": [
        {"match": ["/category/", "/tag/"], "changefreq": "weekly"},
        {"match": "/tag/salt/", "exclude": True},
    ],
}

THEME = "simple"
THEME_TEMPLATES_OVERRIDES = ["templates"]
ARTICLE_PATHS = ["articles"]
ARTICLE_URL = "{date:%Y}/{slug}/"
ARTICLE_SAVE_AS = "{date:%Y}/{slug}/index.html"
PAGE_URL = "{slug}/"
PAGE_SAVE_AS = "{slug}/index.html"
CATEGORY_URL = "category/{slug}/"
CATEGORY_SAVE_AS = "category/{slug}/index.html"
TAG_URL = "tag/{slug}/"
TAG_SAVE_AS = "tag/{slug}/index.html"
YEAR_ARCHIVE_URL = "{date:%Y}/"
YEAR_ARCHIVE_SAVE_AS = "{date:%Y}/index.html"
AUTHOR_SAVE_AS = ""
ARCHIVES_URL = "archive/"
ARCHIVES_SAVE_AS = "archive/index.html"
DIRECT_TEMPLATES = ["index", "archives", "categories"]
TEMPLATE_PAGES = {"humans.txt": "humans.txt"}
DEFAULT_PAGINATION = 10
SLUGIFY_USE_UNICODE = True
STATIC_PATHS = ["files", "extra"]
EXTRA_PATH_METADATA = {"extra/robots.txt": {"path": "robots.txt"}}
FEED_ALL_ATOM = "feeds/all.atom.xml"
CATEGORY_FEED_ATOM = AUTHOR_FEED_ATOM = AUTHOR_FEED_RSS = TRANSLATION_FEED_ATOM = None
