#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Refuses the retired words of words.txt, and function names without a module.

usage: words.py

docs/glossary.md has the terms of this project that remain.  EXCEPTIONS are
pairs of a file and a word that has its ordinary meaning there.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACES = ('README.md', 'CONTRIBUTING.md', 'docs', 'src', 'include', 'tools',
          'lib', 'bench', 'examples', 'configs')
SUFFIXES = ('.md', '.1', '.c', '.h', '.py', '.cl', '.s', '.S', '.txt', '.html',
            '.isa', '.ini')
EXCEPTIONS = set()
# Names that many files would share, of functions that are static to one.
SHARED = re.compile(r'^(fail|run|find|finish)\(', re.M)


def rules():
    """[(pattern, replacement)]"""
    result = []
    for line in (ROOT / 'tests/words.txt').read_text().splitlines():
        if line and not line.startswith('#'):
            word, instead = line.split(' => ')
            result.append((re.compile(rf'(?<![\w-])({word})(?![\w-])', re.I),
                           instead))
    return result


def files():
    for place in PLACES:
        path = ROOT / place
        for p in sorted(path.rglob('*')) if path.is_dir() else [path]:
            if p.is_file() and p.suffix in SUFFIXES:
                yield p


def refuse(name, text, patterns):
    """What is wrong with a file: [(line, message)]"""
    found = []
    for n, line in enumerate(text.splitlines(), 1):
        for pattern, instead in patterns:
            m = pattern.search(line)
            if m and not any(name.startswith(place) and m[1].lower() == word
                             for place, word in EXCEPTIONS):
                found.append((n, f"'{m[1]}', expected: {instead}"))
    if re.match(r'(src|tools)/.*\.c$', name):
        found += [(text.count('\n', 0, m.start()) + 1,
                   f"function '{m[1]}', expected a name of its module")
                  for m in SHARED.finditer(text)]
    return found


def check_itself(patterns):
    """It would find each: a test that finds nothing proves nothing."""
    page, source = 'docs/a' + '.md', 'src/a/' + 'a.c'  # no citations
    assert refuse(page, 'A launch is a bet.\n', patterns) == \
        [(1, "'bet', expected: speculative launch")]
    assert refuse(source, 'int\nfail(void)\n', patterns)[0][0] == 2
    assert refuse(source, '/* Who needs it\n * is Nobody. */', patterns)
    assert not refuse(page, 'better, alphabet, forgetful\n', patterns)


def main():
    patterns = rules()
    check_itself(patterns)
    wrong = n = 0
    for path in files():
        name = path.relative_to(ROOT).as_posix()
        n += 1
        for line, message in refuse(name, path.read_text(encoding='utf-8'),
                                    patterns):
            print(f'{name}:{line}: {message}')
            wrong += 1
    print(f'{n} files, {len(patterns)} rules, {wrong} errors')
    return wrong != 0


if __name__ == '__main__':
    sys.exit(main())
