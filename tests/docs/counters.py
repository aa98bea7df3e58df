#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/reference/counters.md defines each counter that is printed, and no others.

    counters.py VENTUS PAGE EXAMPLES
"""
import json
import re
import subprocess
import sys
from pathlib import Path

VENTUS, PAGE, EXAMPLES = sys.argv[1:4]
# Printed by machines with page tables only.
SOMETIMES = {'counters': {'translation'}, 'rates': set(), 'stats': set()}


def defined():
    """{part: names}"""
    text = Path(PAGE).read_text(encoding='utf-8')
    found = {}
    for section in text.split('\n## ')[1:]:
        part = re.search(r'`(\w+)`', section.splitlines()[0])[1]
        cells = re.findall(r'^\| (`[^|]*) \|', section, re.M)
        found[part] = [n for cell in cells for n in re.findall(r'`(\w+)`', cell)]
    return found


def main():
    p = subprocess.run(
        [VENTUS, 'exec', '--model', 'rtl-verilog', '--json', '--stats',
         f'{EXAMPLES}/vecadd.s', '--grid', '8', '--arg', 'iota:8', '--arg',
         'iota:8', '--arg', 'zeros:8'], check=True, capture_output=True)
    printed, pages = json.loads(p.stdout), defined()
    errors = []
    for part, sometimes in SOMETIMES.items():
        names = pages[part]
        errors += [f'{part}: {n} twice' for n in names if names.count(n) > 1]
        errors += [f'{part}: {n} is not defined'
                   for n in set(printed[part]) - set(names)]
        errors += [f'{part}: {n} is not printed'
                   for n in set(names) - set(printed[part]) - sometimes]
    print('\n'.join(errors) or 'all counters are defined')
    return 1 if errors else 0


if __name__ == '__main__':
    sys.exit(main())
