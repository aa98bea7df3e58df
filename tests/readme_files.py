#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every module has a README.md, with a row for each unit: it names all its files."""
import sys
from pathlib import Path

import layering

ROOT = Path(__file__).parents[1]


def check(module):
    readme = module / 'README.md'
    where = readme.relative_to(ROOT)
    if not readme.exists():
        return [f'{where}: missing']
    text = readme.read_text(encoding='utf-8')
    errors = []
    files = [path for path in sorted(module.rglob('*'))
             if path.suffix in ('.c', '.h', '.py', '.isa')]
    for path, pattern in layering.row_names(module, files).items():
        if not pattern.search(text):
            errors.append(f'{where}: does not name {path.relative_to(module)}')
    return errors


def main():
    modules = sorted(p for p in (ROOT / 'src').iterdir() if p.is_dir()
                     and any(p.iterdir()))
    errors = [error for module in modules for error in check(module)]
    print('\n'.join(errors + [f'{len(modules)} modules, '
                              f'{len(errors)} errors']))
    return errors != []


if __name__ == '__main__':
    sys.exit(main())
