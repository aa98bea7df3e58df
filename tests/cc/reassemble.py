#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `ventus cc --emit s` writes, `ventus as` reads back to the same file.

    reassemble.py BIN FILE.cl... [-- OPTION...]

It must have the bytes of `--emit o`: code, data, symbols, relocations, records
of kernels and functions, the line table.  If it has not, the sections that are
loaded are compared one by one, to say where."""
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ALLOC, NOBITS, SYMTAB, RELA = 2, 8, 2, 4


def name_at(table, offset):
    return table[offset:table.index(b'\0', offset)].decode()


def loaded(path):
    """By name of section: its bytes, and its relocations with their symbol."""
    data = path.read_bytes()
    at, = struct.unpack_from('<I', data, 32)
    size, count, names = struct.unpack_from('<3H', data, 46)
    heads = [struct.unpack_from('<10I', data, at + size * k)
             for k in range(count)]
    body = [b'' if h[1] == NOBITS else data[h[4]:h[4] + h[5]] for h in heads]
    found = {k: [name_at(body[names], h[0]),
                 h[5] if h[1] == NOBITS else body[k], []]
             for k, h in enumerate(heads) if h[2] & ALLOC and h[5]}
    for k, head in enumerate(heads):
        if head[1] != RELA or head[7] not in found:
            continue
        symbols, strings = body[head[6]], body[heads[head[6]][6]]
        for offset, info, addend in struct.iter_unpack('<IIi', body[k]):
            symbol, = struct.unpack_from('<I', symbols, 16 * (info >> 8))
            found[head[7]][2].append((offset, info & 255, addend,
                                      name_at(strings, symbol)))
    return {name: (content, sorted(relocs))
            for name, content, relocs in found.values()}


def check(bin_, path, options, folder):
    """What is wrong."""
    words = [*options, '-w'] + [
        word for line in re.findall(r'^// @options (.*)', path.read_text(),
                                    re.M) for word in line.split()]
    march = [word for word in words if word.startswith('-march=')]
    one, text, two = folder / '1.o', folder / 'k.s', folder / '2.o'
    for command in (['ventus-cc', *words, '--emit', 'o', '-o', one, path],
                    ['ventus-cc', *words, '--emit', 's', '-o', text, path],
                    ['ventus', 'as', *march, '-o', two, text]):
        done = subprocess.run([bin_ / command[0], *command[1:]],
                              capture_output=True, text=True)
        if done.returncode or done.stderr:
            return f'{command[0]} {command[1]}: {done.stderr[:1000]}'
    if one.read_bytes() == two.read_bytes():
        return ''
    a, b = loaded(one), loaded(two)
    if a.keys() != b.keys():
        return f'sections {sorted(a)}, read back {sorted(b)}'
    for name in a:
        if a[name][0] != b[name][0]:
            return f'{name} differs'
        for x, y in zip(a[name][1] + [None], b[name][1] + [None]):
            if x != y:
                return f'{name}: relocation {x}, read back {y}'
    return 'symbols, records or lines differ'


def main():
    words = sys.argv[1:]
    cut = words.index('--') if '--' in words else len(words)
    bin_, files, options = Path(words[0]), words[1:cut], words[cut + 1:]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in map(Path, files):
            text = check(bin_, path, options, Path(folder))
            failed += bool(text)
            if text:
                print(f'{path}: {text}')
    print(f'{len(files)} files, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
