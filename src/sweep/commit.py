#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes which commit the tree has as a C file, if that changed.

    commit.py TREE OUT.c
"""
import os
import subprocess
import sys
from pathlib import Path


def commit(tree):
    if not (tree / '.git').exists():
        return 'unknown'
    try:
        p = subprocess.run(['git', 'describe', '--always', '--dirty',
                            '--abbrev=12', '--exclude=*'], cwd=tree,
                           env=dict(os.environ, GIT_OPTIONAL_LOCKS='0'),
                           check=False, capture_output=True, text=True)
    except OSError:
        return 'unknown'
    return p.stdout.strip() or 'unknown'


def main():
    tree, out = Path(sys.argv[1]), Path(sys.argv[2])
    text = ('#include "sweep/tools.h"\n\n'
            f'const char sweep_commit[] = "{commit(tree)}";\n')
    if not out.exists() or out.read_text(encoding='utf-8') != text:
        out.write_text(text, encoding='utf-8')


if __name__ == '__main__':
    main()
