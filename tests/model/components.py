#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""State of a component is touched by its own file alone.

usage: components.py [ROOT]

A component is a header and a source file that declare a struct, and that know
neither machine.h nor, of other components, more than their functions: nothing
outside of them names a member of such a struct.
"""
import re
import sys
from pathlib import Path

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2])
# file: the struct, and names that variables and members of it have elsewhere
COMPONENTS = {
    'dram': ('dram', ['dram']),
    'memory': ('memory', ['memory']),
    'l2': ('l2', ['l2']),
    'bus': ('bus', ['bus']),
    'cta': ('cta', ['cta']),
    'tlb': ('tlb', ['tlb', 'l2_tlb']),
    'local': ('local', ['local']),
    'icache': ('icache', ['icache']),
    'l1d': ('dcache', ['dcache']),
    'ibuffer': ('ibuffer', ['ibuffer']),
    'issue': ('issue', ['issue']),
    'schedule': ('scheduler', ['scheduler']),
    'decode': ('decoder', ['decoder']),
    'fetch': ('fetch', ['fetch']),
    'collect': ('collect', ['collect']),
    'units': ('units', ['units']),
    'lsu': ('lsu', ['lsu']),
    'scoreboard': ('scoreboard', ['scoreboard']),
    'fence': ('fence', ['fence']),
    'l1d_data': ('l1d_data', ['l1d_data']),
    'rcc': ('rcc', ['rcc']),
    'workgroup': ('workgroup', ['workgroup']),
    'value_age': ('value_age', ['value_age']),
    'replacement': ('replacement', ['replacement']),
}


def members(text, struct):
    """Names of the members of a struct and of its _state, one level deep."""
    found = set()
    for name in (struct, f'{struct}_state'):
        match = re.search(rf'^struct {name} {{\n(.*?)^}};', text, re.M | re.S)
        if not match:
            continue
        body = re.sub(r'/\*.*?\*/', '', match[1], flags=re.S)
        for declaration in body.split(';'):
            for one in declaration.split(','):
                word = re.search(r'(\w+)(?:\[[^]]*\])?\s*$', one.strip())
                if word:
                    found.add(word[1])
    return found


def without_comments(text):
    return re.sub(r'/\*.*?\*/', lambda m: re.sub(r'[^\n]', ' ', m[0]), text,
                  flags=re.S)


def check(model):
    errors = []
    folder = {p.stem: p.parent for p in model.rglob('*.h')}
    sources = {p: without_comments(p.read_text(encoding='utf-8'))
               for p in sorted(model.rglob('*.[ch]'))}
    for stem, (struct, names) in COMPONENTS.items():
        header = folder[stem] / f'{stem}.h'
        own = members(header.read_text(encoding='utf-8'), struct)
        if not own:
            errors.append(f'{header.name}: found no struct {struct}')
        for suffix in 'ch':
            path = folder[stem] / f'{stem}.{suffix}'
            if re.search(r'#\s*include "model/machine.h"', sources[path]):
                errors.append(f'{path.name}: a component knows machine.h')
        use = re.compile(rf'(?<!config)(?<!\bc)(?:\.|->)(?:{"|".join(names)})'
                         rf'(?:\[[^]]*\])?(?:\.|->)({"|".join(own)})\b')
        for path, text in sources.items():
            if path.stem == stem:
                continue
            for number, line in enumerate(text.splitlines(), 1):
                match = use.search(line)
                if match and 'config' not in line[:match.start()]:
                    errors.append(f'{path.name}:{number}: {match[0]} is '
                                  f'{stem}.c\'s own')
    return errors


def main():
    errors = check(ROOT / 'src/model')
    print('\n'.join(errors + [f'{len(COMPONENTS)} components, '
                              f'{len(errors)} errors']))
    return errors != []


if __name__ == '__main__':
    sys.exit(main())
