#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: embed.py FILE NAME OUT.c

Writes a C file that defines `const char NAME[]`, the text of FILE.
"""
import sys

source, name, out = sys.argv[1:]
with open(source, 'rb') as f:
    data = f.read() + b'\0'
rows = [', '.join(str(b if b < 128 else b - 256) for b in data[i:i + 20])
        for i in range(0, len(data), 20)]
with open(out, 'w', encoding='ascii') as f:
    f.write('/* Made by embed.py. */\n'
            f'extern const char {name}[];\nconst char {name}[] = {{\n')
    f.write(',\n'.join(rows) + '\n};\n')
