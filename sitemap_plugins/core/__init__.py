"""The core: page records in, sitemap files out; it knows no framework, opens no connection and logs nothing."""
