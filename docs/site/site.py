#!/usr/bin/env python3
# Makes the site: pages with their tables filled in, the C API, search; all of it works offline.
# SPDX-License-Identifier: Apache-2.0
"""usage: docs/site/site.py HEDDLE OUT [--pages]

Writes OUT.pages, a copy of the tree's Markdown as MkDocs takes it, with Doxygen's pages of the API in it, then the
site OUT. --pages ends before Doxygen and MkDocs. What it changes in the copy:

- a line `<!-- keys: COMMAND NAME -->` becomes the table of that name which `heddle COMMAND --markdown` prints. Each of these tables must have its place in one page, and each place its table;
- a line that is a link to a CSV file becomes the table in it, or tables, one for each value of a column `table`.
  checks.csv becomes a section for each statement of the statements.csv beside it; a link to a C file becomes its text;
- links to headers of the API lead to Doxygen's pages, links to other files to copies of them, links to folders to a
  list of their files with what line 1 of each says;
- headings get GitHub's names, and lists the blank lines and indents that MkDocs needs.

Ends with 1 and `file:line: what` where something does not fit; every page must be in the nav of mkdocs.yml.
"""
import csv
import os
import re
import shutil
import subprocess
import sys
from urllib.parse import quote, unquote

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../tests/lint"))
import tree  # noqa: E402  (headings and their names)

PAGES = ["*.md", "docs/*.md", "fpga/*.md", "tb/*.md"]
PICTURES = (".svg", ".png")
COMMANDS = ("scenario", "results", "coverage", "programs", "collectives", "wrap")
wrong = []


def complain(where, what):
    wrong.append(f"{where}: {what}")


def text(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def run(*command, **how):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **how).stdout


def version():
    return re.search(r'HD_VERSION "([^"]+)"', text("bridge/version.h")).group(1)


def api_headers():
    """The headers that programs, backends and benches of users include: mk/c.mk has the lists."""
    lists = re.findall(r"^(?:API|WATCH)_H := ((?:.*\\\n)*.*)", text("mk/c.mk"), re.M)
    return " ".join(lists).replace("\\", " ").split()


def made_tables(heddle):
    """What the command says of itself: "scenario fabric"."""
    tables = {}
    for command in COMMANDS:
        said = run(heddle, command, "--markdown")
        for name, table in re.findall(r"^<!-- keys: (\S+) -->\n(.*?)^<!-- end of keys -->\n", said, re.M | re.S):
            tables[f"{command} {name}"] = table
    return tables


# ── tables of CSV ─────────────────────────────────────────────────────────────

def rows_of(path):
    with open(path, encoding="utf-8", newline="") as f:
        return list(csv.reader(f))


def markdown(head, rows):
    def line(cells):
        return "| " + " | ".join(c.replace("|", "\\|") for c in cells) + " |\n"
    return line(head) + "|" + "---|" * len(head) + "\n" + "".join(line(r) for r in rows)


def table_of(path):
    head, *rows = rows_of(path)
    if head[0] != "table":
        return markdown(head, rows)
    captions = list(dict.fromkeys(r[0] for r in rows))
    return "\n".join(f"{c.rstrip('.')}:\n\n" + markdown(head[1:], [r[1:] for r in rows if r[0] == c]) for c in captions)


def statements_of(path):
    """statement, where, verdict, how many checks hold."""
    checks = rows_of(os.path.join(os.path.dirname(path), "checks.csv"))[1:]
    rows = []
    for name, verdict, where, *_ in rows_of(path)[1:]:
        own = [c for c in checks if c[0] == name]
        rows.append([name, where, f"**{verdict}**", f"{sum(c[4] == 'holds' for c in own)} of {len(own)}"])
    return markdown(["statement", "where", "verdict", "checks that hold"], rows)


def checks_of(path):
    checks, parts = rows_of(path)[1:], []
    for name, verdict, where, says, criterion, note in rows_of(os.path.join(os.path.dirname(path), "statements.csv"))[1:]:
        own = [c[1:] for c in checks if c[0] == name]
        parts.append(f"### {name}: {verdict}\n\n{where}: “{says}”\n\n" + (note and note + "\n\n") +
                     markdown([criterion, "measured", "asked", ""], own))
    return "\n".join(parts)


def csv_part(path):
    how = {"statements.csv": statements_of, "checks.csv": checks_of}.get(os.path.basename(path), table_of)
    return how(path)


# ── pages ─────────────────────────────────────────────────────────────────────

class Site:
    def __init__(self, heddle, out):
        self.pages_dir = out + ".pages"
        self.api = api_headers()
        self.tables = made_tables(heddle)
        self.used, self.folders = {}, set()
        self.pages = run("git", "ls-files", "-co", "--exclude-standard", "--", *PAGES).splitlines()

    def put(self, path, content):
        to = os.path.join(self.pages_dir, path)
        os.makedirs(os.path.dirname(to), exist_ok=True)
        with open(to, "w", encoding="utf-8") as f:
            f.write(content)

    def copy(self, path, to):
        to = os.path.join(self.pages_dir, to)
        os.makedirs(os.path.dirname(to), exist_ok=True)
        shutil.copyfile(path, to)

    def link(self, page, target, where):
        """The target as it is in the site."""
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            return target
        name, hash_, anchor = target.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(page), unquote(name)))
        if path in self.pages:
            return target
        if path in self.api:
            to = "api/" + os.path.basename(path).replace("_", "__").replace(".", "_8") + ".html"
        elif os.path.isdir(path):
            self.folders.add(path)
            to = f"tree/{path}/index.md"
        elif not os.path.isfile(path):
            complain(where, f"link to {target}, which is not there")
            return target
        elif path.endswith(PICTURES + (".csv",)):
            to = path
            self.copy(path, to)
        else:
            to = f"tree/{path}.txt"
            self.copy(path, to)
        return quote(os.path.relpath(to, os.path.dirname(page) or ".")) + hash_ + anchor

    def links(self, page, line, where):
        code = [m.span() for m in re.finditer(r"`[^`]*`", line)]

        def there(m):
            if any(a <= m.start() < b for a, b in code):
                return m.group(0)
            return f"]({self.link(page, m.group(1), where)})"
        return re.sub(r"\]\(([^)\s]+)\)", there, line)

    def expanded(self, page):
        """(number of the line, line, is it made?), tables filled in."""
        for number, line in enumerate(text(page).splitlines(), 1):
            keys = re.fullmatch(r"<!-- keys: (.*) -->", line)
            file = re.fullmatch(r"\[[^]]+\]\(([^)\s]+\.(?:csv|c))\)", line)
            path = file and os.path.normpath(os.path.join(os.path.dirname(page), file.group(1)))
            if keys and keys.group(1) in self.tables:
                if keys.group(1) in self.used:
                    complain(f"{page}:{number}", f"the table {keys.group(1)} is in {self.used[keys.group(1)]}, too")
                self.used[keys.group(1)] = page
                made = self.tables[keys.group(1)]
            elif keys:
                complain(f"{page}:{number}", f"there is no table {keys.group(1)}; there are {', '.join(self.tables)}")
                continue
            elif path and os.path.isfile(path):
                made = (csv_part(path) if path.endswith(".csv") else f"```c\n{text(path)}```\n") + "\n" + line
            else:
                yield number, line, False
                continue
            yield from ((number, l, True) for l in ["", *made.splitlines(), ""])

    def page(self, page):
        names = dict(tree.headings(page))
        lines, fenced, listed = [], False, False
        for number, line, made in self.expanded(page):
            where = f"{page}:{number}"
            if line.lstrip().startswith("```"):
                fenced = not fenced
            elif not fenced:
                line = self.links(page, line, where)
                if line.startswith("|"):  # in code, MkDocs takes a bar as it is
                    line = re.sub(r"`[^`]*`", lambda m: m.group(0).replace("\\|", "|"), line)
                elif number in names and not made and line.startswith("#"):
                    line = f"{line} {{#{names[number]}}}"
                item = re.match(r"( *)(?:[-*]|\d+\.) ", line)
                if item and not item.group(1) and not listed and lines and lines[-1].strip():
                    lines.append("")
                if item and listed and item.group(1):
                    line = "    " + line.lstrip()
                listed = bool(item) or (listed and (not line or line.startswith(" ")))
            lines.append(line)
        self.put(page, "\n".join(lines) + "\n")

    def folder(self, path):
        rows = []
        for file in run("git", "ls-files", "--", path).splitlines():
            first = (tree.text(file) or [""])[0]
            first = re.sub(r"^#!.*", lambda _, f=file: tree.text(f)[1], first)
            said = re.match(r"(?:/\*+|//+|#+|--) ?(.*?)(?: \*/)?$", first)
            about = said.group(1).strip() if said else ""
            rows.append([f"[{os.path.relpath(file, path)}]({quote(os.path.basename(file))}.txt)" if
                         os.path.dirname(file) == path else f"`{os.path.relpath(file, path)}`", about])
            if os.path.dirname(file) == path:
                self.copy(file, f"tree/{file}.txt")
        self.put(f"tree/{path}/index.md", f"# {path}/\n\n" + markdown(["file", "what it is"], rows))

    def make(self):
        shutil.rmtree(self.pages_dir, ignore_errors=True)
        nav = text(os.path.join(HERE, "mkdocs.yml"))
        for page in self.pages:
            if not re.search(rf"[ \"']{re.escape(page)}[\"']?$", nav, re.M):
                complain("docs/site/mkdocs.yml", f"the nav lacks {page}")
            self.page(page)
        for file in ("search.js", "site.css"):
            self.copy(os.path.join(HERE, file), file)
        for folder in sorted(self.folders):
            self.folder(folder)
        for name in self.tables:
            if name not in self.used:
                complain("docs", f"no page has a place for the table {name}")


def doxygen(site):
    config = text(os.path.join(HERE, "Doxyfile")) + (
        f"INPUT = {' '.join(site.api)}\nPROJECT_NUMBER = {version()}\nOUTPUT_DIRECTORY = {site.pages_dir}\n"
        "HTML_OUTPUT = api\n")
    subprocess.run(["doxygen", "-"], input=config, text=True, check=True)


def finish(out):
    """What is left to do in the site."""
    def write(name, content):
        with open(os.path.join(out, name), "w", encoding="utf-8") as f:
            f.write(content)
    os.remove(os.path.join(out, "404.html"))  # for a server's root
    write("search/search_index.js", f"var search_index = {text(os.path.join(out, 'search/search_index.json'))};\n")
    # Debian's theme has another jQuery than its pages ask for, and lacks the script that gives tables their style.
    scripts = os.path.join(out, "js")
    if not os.path.exists(os.path.join(scripts, "theme_extra.js")):
        write("js/theme_extra.js", "$('div.rst-content table').addClass('docutils');\n")
    there = next(f for f in sorted(os.listdir(scripts)) if f.startswith("jquery"))
    for asked in re.findall(r'js/(jquery[^"]*)"', text(os.path.join(out, "index.html"))):
        if not os.path.exists(os.path.join(scripts, asked)):
            shutil.copyfile(os.path.join(scripts, there), os.path.join(scripts, asked))


def main():
    if len(sys.argv) not in (3, 4) or sys.argv[3:] not in ([], ["--pages"]):
        sys.exit(__doc__)
    heddle, out = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    site = Site(heddle, out)
    site.make()
    print("\n".join(wrong), end="\n" if wrong else "")
    print(f"{'not ok' if wrong else 'ok'} pages ({len(site.pages)} pages, {len(site.used)} tables of the command, "
          f"{len(wrong)} violations)")
    if wrong or sys.argv[3:]:
        return bool(wrong)
    doxygen(site)
    env = dict(os.environ, HEDDLE_SITE=f"Heddle {version()}", HEDDLE_PAGES=site.pages_dir,
               HEDDLE_OUT=out)
    subprocess.run(["mkdocs", "build", "--strict", "--quiet", "-f", os.path.join(HERE, "mkdocs.yml")], env=env, check=True)
    finish(out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
