#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What comments and pages cite is there.

usage: citations.py [SPEC]

* a page, with or without a section: `docs/abi.md, Memory map`, the same with the
  section in quotes, `semantics.md, SIMT stack`: the page exists, and has a heading
  that begins what follows;
* a link of a page: its file exists, and its anchor is a heading there;
* a file of the repository, from its root, or `module/file.h` of src;
* `decision N`: a page of docs/decisions;
* `manual N.N`, `draft, NAME` and `slides, NAME`: a section that docs/references.md
  lists; if SPEC, the folder with the source specifications, is there, that has it,
  too.
"""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ('src', 'include', 'lib', 'tests', 'docs', 'tools', 'scripts', 'cmake',
           'examples', 'configs', 'bench')
KINDS = {'.c', '.h', '.py', '.md', '.isa', '.s', '.S', '.cl', '.txt', '.ini',
         '.cmake', '.sh', ''}
# Made in the build directory.
MADE = re.compile(r'(docs/)?(\w+_)?isa\.md$|src/isa/\w+_(decode|tables|meanings)\.\w+$|'
                  r'isa/isa_decode\.inc$|include/ventus/(isa|tile|rv64)_(ops|build)\.h|'
                  r'include/ventus/(NAME_ops|version)\.h$|src/isa/NAME_tables\.c$|'
                  r'src/dev/presets\.c$|tests/isa/legal\d\.txt$|lib/libventus|'
                  r'(table|page)\.md$|include/input\.cl$|'
                  r'tests/sim/vector_distance\.s$')  # the last ones: of examples
PAGE = re.compile(r'(?<![\w./-])((?:docs/(?:decisions/)?)?[a-z][\w-]*\.md)\b'
                  r'(?:,? "([^"]+)"|, (?!\w+=)([A-Z].{0,80}))?')
FILE = re.compile(r'(?<![\w./${}<>-])((?:%s)/[\w./-]+\.\w+)\b(?!\*)'
                  % '|'.join(FOLDERS))
LINK = re.compile(r'\]\(([^)\s]+)\)')
DECISION = re.compile(r'\b[Dd]ecision (\d+)\b')
MANUAL = re.compile(r'\b[Mm]anual (?:section )?(\d+(?:\.\d+)+)')

NAMED = re.compile(r'\b([Dd]raft|[Ss]lides)(?: v0429)?([,:]) ([A-Z]\w+(?: \w+)?|'
                   r'regpair|[a-z]\w*(?=[);:]))')


def tracked():
    out = subprocess.run(['git', 'ls-files', '-co', '--exclude-standard'],
                         cwd=ROOT, capture_output=True, text=True, check=False)
    names = out.stdout.split() if out.returncode == 0 else [
        str(p.relative_to(ROOT)) for f in FOLDERS for p in (ROOT / f).rglob('*')]
    # A test's wrong input is no citation, and the log speaks of what was.
    names = [n for n in names if n != 'CHANGELOG.md' and
             not n.startswith(('docs/references.md', 'tests/fuzz/', 'tests/docs/', 'tests/layering'))]
    return [n for n in names if Path(n).suffix in KINDS and
            (n.startswith(FOLDERS) or '/' not in n) and (ROOT / n).is_file()]


def headings(path):
    text = re.sub(r'^```.*?^```', '', path.read_text(encoding='utf-8'),
                  flags=re.M | re.S)
    return [h.replace('`', '') for h in re.findall(r'^#+ +(.+?) *$', text, re.M)]


def slug(heading):
    kept = re.sub(r'[^\w\- ]', '', heading.lower())
    return kept.replace(' ', '-')


def page_of(name, where):
    for folder in (ROOT, ROOT / 'docs', (ROOT / where).parent):
        if (folder / name).is_file():
            return folder / name
    return None


def check_page(match, where):
    name, quoted, words = match.groups()
    if MADE.match(name) and not page_of(name, where):
        return None
    page = page_of(name, where)
    if not page:
        return f'{name}: there is no such page'
    known = headings(page)
    if quoted and quoted not in known:
        return f'{name}: there is no section "{quoted}"'
    if words and not any(words.startswith(h) for h in known):
        return f'{name}: no section begins "{words[:30]}"'
    return None


def check_link(target, where):
    if re.match(r'\w+:', target):
        return None
    file, _, anchor = target.partition('#')
    path = (ROOT / where).parent / file if file else ROOT / where
    if not path.exists():
        return f'{target}: there is no such file'
    if anchor and anchor not in [slug(h) for h in headings(path)]:
        return f'{target}: there is no such heading'
    return None


def check_file(name):
    if (ROOT / name).exists() or MADE.match(name) or re.search('[A-Z]{4}', name):
        return None
    return f'{name}: there is no such file'


def joined(text):
    """One line, without what begins lines of comments."""
    text = re.sub(r'\s*\n[ \t]*(?:\*(?!/)|#|;|//)?[ \t]*', ' ', text)
    # A path may be broken behind a slash.
    return re.sub(r'(`[\w/.-]+/) (?=[\w-]+\.\w+`)', r'\1', text)


def check_text(text, where, manual):
    """Errors of one file."""
    modules = '|'.join(p.name for p in (ROOT / 'src').iterdir() if p.is_dir())
    header = re.compile(rf'(?<![\w./<-])((?:{modules})/[\w/]+\.(?:h|inc|isa))\b')
    flat = joined(text)
    errors = [check_page(m, where) for m in PAGE.finditer(flat)]
    errors += [check_file(n) for n in FILE.findall(flat)]
    errors += [check_file('src/' + n) for n in header.findall(flat)]
    errors += [f'decision {n}: there is none' for n in DECISION.findall(flat)
               if not list((ROOT / 'docs/decisions').glob(f'{int(n):04}-*.md'))]
    errors += [f'manual {n}: docs/references.md does not list it'
               for n in MANUAL.findall(flat) if n not in manual['manual']]
    for which, mark, name in NAMED.findall(flat):
        known = manual[which.lower()]
        if mark != ',' or not any(name.startswith(k) or k == name.split()[0]
                                  for k in known):
            errors.append(f'{which}{mark} {name}: not as docs/references.md has it')
    if where.endswith('.md'):
        text = re.sub(r'`[^`\n]*`', '', text)
        errors += [check_link(t, where) for t in LINK.findall(text)]
    return [f'{where}: {e}' for e in errors if e]


def listed_sections():
    """{'manual', 'draft', 'slides': what is cited of it}"""
    found = {}
    for line in (ROOT / 'docs/references.md').read_text().splitlines():
        cells = [c.strip() for c in line.strip('|').split('|')]
        head = re.match(r'(manual|draft|slides),? N', cells[0])
        if head:
            parts = cells[2].split(' ' if head[1] == 'manual' else ', ')
            found[head[1]] = parts
    return found


def check_documents(sections, folder):
    """The documents have the sections that are listed."""
    errors = []
    for number, name in enumerate(('manual', 'draft', 'slides'), 1):
        found = sorted(Path(folder).glob(f'{number:03}_*.txt')) if folder else []
        text = found[0].read_text(encoding='utf-8') if found else None
        for n in sections[name] if text else []:
            pattern = rf'^ *{re.escape(n)}\.? ' if name == 'manual' else \
                re.escape(n)
            if not re.search(pattern, text, re.M | re.I):
                errors.append(f'docs/references.md: {name} has no {n}')
    return errors


def main():
    manual = listed_sections()
    names = tracked()
    errors = check_documents(manual, sys.argv[1] if len(sys.argv) > 1 else '')
    for name in names:
        try:
            text = (ROOT / name).read_text(encoding='utf-8')
        except UnicodeDecodeError:
            continue
        errors += check_text(text, name, manual)
    print('\n'.join(errors + [f'{len(names)} files, {len(errors)} errors']))
    return bool(errors)


if __name__ == '__main__':
    sys.exit(main())
