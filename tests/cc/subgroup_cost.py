#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reductions and scans of a sub-group take at most half of the warp-instructions that the
same takes through local memory; what both have besides, a copy, is subtracted.

    subgroup_cost.py VENTUS
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def count(ventus, elf, kernel, device):
    text = subprocess.run(
        [ventus, 'exec', '--device', device, elf, kernel, '--grid', '32', '--local', '32',
         '--arg', 'zeros:32', '--arg', 'zeros:32', '--stats'],
        check=True, capture_output=True, text=True)
    return int(re.search(r'warp-instructions\s+([\d,]+)',
                         text.stdout + text.stderr)[1].replace(',', ''))


def main():
    ventus, source = sys.argv[1], Path(__file__).with_suffix('.cl')
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        elf = Path(folder) / 'k.elf'
        for version, device in ('ventus1', 'default'), ('ventus2', 'ventus2'):
            subprocess.run([ventus, 'cc', '-cl-std=CL3.0', f'-march={version}', '-o', elf,
                            source], check=True)
            none = count(ventus, elf, 'none', device)
            for name in 'reduce', 'scan_inclusive':
                for kind in 'int', 'float':
                    sub, local = (count(ventus, elf, f'{how}_{name}_{kind}', device) - none
                                  for how in ('sub', 'local'))
                    failed |= 2 * sub > local
                    print(f'{device} {name} {kind}: {sub} of {local}')
    return failed


if __name__ == '__main__':
    sys.exit(main())
