#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the presets as C, for programs that find no folder of them.

usage: presets.py OUT.c PRESET.ini...
"""
import sys
from pathlib import Path


def literal(line):
    return '"' + line.replace('\\', '\\\\').replace('"', '\\"') + '\\n"'


def main():
    lines = ['/* SPDX-License-Identifier: Apache-2.0 */',
             '/* Made by src/dev/presets.py from configs/: change those. */',
             '#include <stddef.h>', '', '#include "dev/config.h"', '',
             'const struct config_preset config_presets[] = {']
    for name in sorted(sys.argv[2:], key=lambda n: Path(n).stem):
        path = Path(name)
        lines.append(f'    {{ "{path.stem}",')
        lines += ['      ' + literal(text) for text in
                  path.read_text(encoding='utf-8').splitlines()]
        lines.append('    },')
    lines += ['    { NULL, NULL },', '};']
    Path(sys.argv[1]).write_text('\n'.join(lines) + '\n', encoding='utf-8')


if __name__ == '__main__':
    main()
