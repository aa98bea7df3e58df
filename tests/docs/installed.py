#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Of what `cmake --install` puts in place: every link of a page leads to a file and a
heading that are there, and the examples' demo.sh run with the `ventus` in PATH.

    installed.py CMAKE BUILD
"""
import os
import re
import subprocess
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path

CMAKE, BUILD = sys.argv[1:]
FENCE = re.compile(r'^( *)(```+).*?^\1\2$', re.M | re.S)
LINK = re.compile(r'\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)|^\[[^\]]+\]: *(\S+)', re.M)
TREE = re.compile(r'^```\{toctree\}\n(.*?)^```', re.M | re.S)
FOREIGN = re.compile(r'[a-z][a-z+.-]*:|//')


class Page(HTMLParser):
    """`links` and `names` of a page of HTML."""

    def __init__(self, text):
        super().__init__()
        self.links, self.names = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ('href', 'src') and value:
                self.links.append(value)
            elif name in ('id', 'name') and value:
                self.names.add(value)


def headings(text):
    """As GitHub names them."""
    names = set()
    for title in re.findall(r'^#+ +(.*?) *$', FENCE.sub('', text), re.M):
        title = re.sub(r'\[([^\]]*)\]\([^)]*\)', r'\1', title)
        names.add(re.sub(r'[^\w\- ]', '', title.lower()).replace(' ', '-'))
    return names


def read(path):
    """(links, names) of a page."""
    text = path.read_text(encoding='utf-8')
    if path.suffix == '.html':
        page = Page(text)
        return page.links, page.names
    links = [a or b for a, b in LINK.findall(FENCE.sub('', text))]
    for tree in TREE.findall(text):
        entries = [e.strip() for e in tree.splitlines() if e.strip() and e[0] != ':']
        for entry in entries:
            found = list(path.parent.glob(f'{entry}.md')) if '*' in entry else []
            links += [p.name for p in found] or [f'{entry}.md']
    return links, headings(text)


def broken(page):
    """The links of a page that lead nowhere."""
    for link in read(page)[0]:
        if FOREIGN.match(link):
            continue
        file, _, name = link.partition('#')
        to = page.parent / file if file else page
        if not to.exists():
            yield link
        elif name and to.suffix in ('.md', '.html') and name not in read(to)[1]:
            yield link


def follow_links(doc):
    pages = [p for kind in ('*.md', '*.html') for p in sorted(doc.rglob(kind))]
    assert len(pages) > 40, pages
    wrong = [f'{p.relative_to(doc)}: {link}' for p in pages for link in broken(p)]
    assert not wrong, '\n'.join(['links that lead nowhere:', *wrong])
    return len(pages)


def run_demo(prefix, demo, *expected):
    env = {k: v for k, v in os.environ.items() if not k.startswith(('VENTUS_', 'OCL_'))}
    env['XDG_CACHE_HOME'] = str(prefix.parent / 'cache')

    def run(path):
        return subprocess.run(['/bin/sh', demo], cwd=prefix.parent, check=False, text=True,
                              capture_output=True, env=env | {'PATH': path})
    p = run(f"{prefix / 'bin'}:{os.environ['PATH']}")
    assert p.returncode == 0, (demo, p.stdout, p.stderr)
    if 'skipped: ' not in p.stdout:
        assert all(text in p.stdout for text in expected), p
    p = run('/usr/bin:/bin')
    assert p.returncode == 0 or 'PATH' in p.stderr, p


def main():
    with tempfile.TemporaryDirectory() as name:
        prefix = Path(name) / 'prefix'
        p = subprocess.run([CMAKE, '--install', BUILD, '--prefix', prefix], check=False,
                           capture_output=True, text=True)
        assert p.returncode == 0, p
        doc = prefix / 'share/doc/ventus'
        print(f'{follow_links(doc)} pages')
        before = sorted(prefix.rglob('*'))
        run_demo(prefix, doc / 'examples/tile/demo.sh', 'elements that are 512: 4096 of 4096')
        run_demo(prefix, doc / 'examples/demo.sh', 'What to do next:')
        assert sorted(prefix.rglob('*')) == before


if __name__ == '__main__':
    main()
