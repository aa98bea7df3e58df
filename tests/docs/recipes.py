#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The recipes of CONTRIBUTING.md name files that exist, and the README of the one
module that the heading names has them all.

A heading is `### Recipe: what to do (MODULE)`.  Files are what stands between
backticks and has a folder in it; NAME in a path stands for what is new.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEADING = re.compile(r'^### Recipe: (.+?) \(`(src/\w+)/`\)\n(.*?)(?=^##|\Z)',
                     re.M | re.S)
RECIPES = 7
FOLDERS = 'src|include|lib|tests|docs|tools|scripts|configs|examples'
FILE = re.compile(rf'`((?:{FOLDERS})/[\w./-]*)`|\]\(((?:{FOLDERS})/[\w./-]+)\)')


def is_named(file, module, readme):
    """By its path, or in its own module by its name."""
    if file in (f'{module}/README.md', f'{module}/CMakeLists.txt'):
        return True
    own = file.removeprefix(f'{module}/')
    return f'`{file}`' in readme or (own != file and f'`{own}`' in readme)


def check(title, module, text):
    readme = (ROOT / module / 'README.md').read_text(encoding='utf-8')
    files = sorted({a or b for a, b in FILE.findall(text)})
    errors = [] if files else [f'{title}: names no file']
    for file in files:
        if 'NAME' in file:
            continue
        if not (ROOT / file).exists():
            errors.append(f'{title}: there is no {file}')
        # What is only read for an example is not what the change touches.
        elif not is_named(file, module, readme) and \
                not re.search(rf'like `{re.escape(file)}`', text):
            errors.append(f'{title}: {module}/README.md does not name {file}')
    return errors


def main():
    text = (ROOT / 'CONTRIBUTING.md').read_text(encoding='utf-8')
    recipes = HEADING.findall(text)
    errors = [e for title, module, body in recipes
              for e in check(title, module, body)]
    if len(recipes) != RECIPES:
        errors.append(f'{len(recipes)} recipes with a module, not {RECIPES}')
    print('\n'.join(errors + [f'{len(recipes)} recipes, {len(errors)} errors']))
    return bool(errors)


if __name__ == '__main__':
    sys.exit(main())
