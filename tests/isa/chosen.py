#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: chosen.py TABLE SOURCE

Each row of the table is chosen by the compiler or says why not.

A row is chosen if the compiler's sources name it (VENTUS_ISA_VADD_VV, or the builder
ventus_isa_vadd_vv), or a relation of the table leads to it from a row that is chosen.
A row with a flag of REASONS is not: it would be one reason too many.
"""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / 'src/isa'))
from table import Table  # noqa: E402

REASONS = {'asm', 'twin'}


def named(source, rows):
    """The rows that the sources of the compiler name."""
    text = ''.join(p.read_text(encoding='utf-8')
                   for folder in ('cc', 'ir')
                   for p in (source / 'src' / folder).rglob('*.[ch]'))
    words = set(re.findall(r'\bVENTUS_ISA_(\w+)', text))
    builders = set(re.findall(r'\bventus_isa_(\w+)\(', text))
    return {r.name for r in rows
            if r.ident.upper() in words or r.ident in builders}


def reached(table, chosen):
    """Chosen rows and all to which relations lead from them."""
    chosen, todo = set(chosen), list(chosen)
    while todo:
        row = todo.pop()
        new = {r.to[row] for r in table.relations.values() if row in r.to}
        todo += new - chosen
        chosen |= new
    return chosen


def main():
    table, source = Table(sys.argv[1]), Path(sys.argv[2])
    chosen = reached(table, named(source, table.rows.values()))
    errors = []
    for row in table.rows.values():
        reasons = row.flags & REASONS
        where = f'{table.path}:{row.line}: {row.name}'
        if 'prefix' in row.flags:
            continue  # the encoder chooses it: ventus_isa_add_prefix
        if row.name not in chosen and not reasons:
            errors.append(f'{where}: the compiler does not choose it: expected a '
                          f'relation, a use in src/cc, or a flag: '
                          f'{", ".join(sorted(REASONS))}')
        elif row.name in chosen and reasons:
            errors.append(f'{where}: the compiler chooses it, and yet it has the '
                          f'flag {", ".join(reasons)}')
    if not chosen & set(table.rows):
        errors.append(f'{source}: the compiler chooses no row')
    print('\n'.join(errors + [f'{len(chosen)} of {len(table.rows)} rows are chosen, '
                              f'{len(errors)} errors']))
    return bool(errors)


if __name__ == '__main__':
    sys.exit(main())
