#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Refuses a second copy of a tool that the project has once, and timing by spelling.

usage: one_of_each.py

Each rule has a pattern and the files of src that may match it.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
RULES = [
    (r'\bpthread_create\(', r'base/thread\.c', 'thread_start of base/thread.h'),
    (r'\bbsearch\(|(\w+) \+ \(\w+ - \1\) / 2|\(\w*(?:low|lo|first|from|begin)\w* \+ '
     r'\w*(?:high|hi|last|to|end)\w*\) / 2', r'base/bisect\.h',
     'BISECT of base/bisect.h'),
    (r'\\\\u%04x', r'base/json\.c', 'the writer of base/json.h'),
    (r'0x6a09e667', r'base/sha256\.c', 'base/sha256.h'),
    (r'^\w*slot_field\(', r'isa/find\.c', 'ventus_isa_slot_field'),
    (r'\bstruct (?:\w+_)?(?:hash_?map|hash_?table|hashtable) \{', r'base/.*',
     'base/hash.h or base/map.h'),
    (r'\bstrn?(?:chr|str|cmp)\([^;]*(?:->|\.)name\b', r'(?!model/).*',
     "a column of the ISA table, not an instruction's name"),
]


def refuse(name, text):
    """What is wrong with the file `name` of src: [(line, message)]"""
    return [(text.count('\n', 0, m.start()) + 1, f"'{m[0]}', expected: {instead}")
            for pattern, where, instead in RULES if not re.fullmatch(where, name)
            for m in re.finditer(pattern, text, re.M)]


def check_itself():
    """Each rule would refuse what it is for."""
    wrong = ['pthread_create(&t, NULL, f, x);', 'm = lo + (hi - lo) / 2;',
             'm = (first + last) / 2;', 'bsearch(&k, at, n, size, f);',
             r'fprintf(out, "\\u%04x", c);', 'h[0] = 0x6a09e667;',
             'static int\nslot_field(int i)\n', 'struct name_hash_map {',
             "if (strchr(info->name, 'f'))", 'strstr(op.name, "mul")']
    for text in wrong:
        assert refuse('model/a.c', text), text
    assert {n for n, (pattern, _, _) in enumerate(RULES)
            for text in wrong if re.search(pattern, text, re.M)} == set(range(len(RULES)))
    assert not refuse('model/a.c', 'x = (a + b) / 2; strcmp(key, name);')
    assert not refuse('base/thread.c', wrong[0])


def main():
    check_itself()
    wrong = n = 0
    for path in sorted((ROOT / 'src').rglob('*.[ch]')):
        n += 1
        for line, message in refuse(path.relative_to(ROOT / 'src').as_posix(),
                                    path.read_text(encoding='utf-8')):
            print(f'{path.relative_to(ROOT)}:{line}: {message}')
            wrong += 1
    print(f'{n} files, {len(RULES)} rules, {wrong} errors')
    return wrong != 0


if __name__ == '__main__':
    sys.exit(main())
