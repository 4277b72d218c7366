#!/usr/bin/env python3
# Do all links of a site lead somewhere, without a network?
# SPDX-License-Identifier: Apache-2.0
"""usage: tests/docs/site_links.py DIRECTORY

Reads every HTML file of the directory. A link must lead to a file of it, and to an id there if it names one. What a page
loads (pictures, scripts, styles) must come from the directory, too; only `a href` may lead into a network. Prints each
violation as `file:line: what`, then one line; ends with 1 when there is one, or no link at all.
"""
import os
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.ids, self.links = set(), []

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        self.ids.update(v for k, v in a.items() if v and (k == "id" or (k == "name" and tag == "a")))
        for key in ("href", "src"):
            if a.get(key):
                self.links.append((self.getpos()[0], tag, a[key]))


def violations(root):
    pages = {}
    for directory, _, files in os.walk(root):
        for file in files:
            if file.endswith(".html"):
                path = os.path.join(directory, file)
                pages[path] = Page()
                with open(path, encoding="utf-8") as f:
                    pages[path].feed(f.read())
    checked = 0
    for path, page in sorted(pages.items()):
        for line, tag, target in page.links:
            url = urlsplit(target)
            where = f"{os.path.relpath(path, root)}:{line}"
            if url.scheme in ("mailto", "javascript", "data"):
                continue
            checked += 1
            if url.scheme or url.netloc:
                if tag != "a" and not (tag == "link" and not target.endswith((".css", ".ico"))):
                    yield f"{where}: {tag} comes from the network: {target}"
                continue
            to = os.path.normpath(os.path.join(os.path.dirname(path), unquote(url.path))) if url.path else path
            if os.path.isdir(to):
                to = os.path.join(to, "index.html")
            if not os.path.isfile(to):
                yield f"{where}: link to {target}, which is not there"
            elif url.fragment and to in pages and unquote(url.fragment) not in pages[to].ids | {"", "top"}:
                yield f"{where}: link to {target}: there is no such place in the page"
    yield (len(pages), checked)


def main():
    *found, (pages, checked) = violations(sys.argv[1])
    print("\n".join(found), end="\n" if found else "")
    bad = found or not checked
    print(f"{'not ok' if bad else 'ok'} links of the site ({pages} pages, {checked} links, {len(found)} violations)")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
