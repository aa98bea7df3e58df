#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels in assembly under `ventus exec --check=scalar`, those of scalar.s.

    scalar.py VENTUS KERNELS [--assembly]

A comment in the kernel names the finding at its line, by hand; a kernel without
one has none.  With --assembly nothing is compiled."""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

VENTUS, SOURCE = sys.argv[1], Path(sys.argv[2]) / 'scalar.s'


def kernels(lines):
    """{kernel: {(finding, line)}}"""
    found, name = {}, None
    for number, text in enumerate(lines, 1):
        start = re.match(r' +\.globl (\w+)', text)
        wanted = re.search(r'# ([a-z]+-[a-z]+)$', text)
        if start:
            name = start[1]
            found[name] = set()
        elif wanted:
            found[name].add((wanted[1], number))
    return found


def findings(kernel, *options):
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / 'findings.json'
        p = subprocess.run(
            [VENTUS, 'exec', SOURCE, kernel, '--grid', '64', '--local', '32',
             '--arg', 'zeros:64', '--check-json', out, *options],
            capture_output=True, text=True, check=False)
        if not out.exists():
            sys.exit(f'{kernel}: no findings were written\n{p.stderr}')
        found = json.loads(out.read_text(encoding='utf-8'))['list']
        return p.stdout + p.stderr, {(f['finding'], f['here']['line'])
                                     for f in found}


def an_empty_kernel_declares_the_registers_of_the_start():
    """The start code of version 1 and 2 uses more than an empty kernel does."""
    for options in (), ('--device', 'ventus2', '-march=ventus2'):
        p = subprocess.run(
            [VENTUS, 'exec', '-', '--grid', '64', '--check', *options],
            input='kernel void nothing(void) {}\n',
            capture_output=True, text=True, check=False)
        if p.returncode or '0 findings' not in p.stderr:
            sys.exit(f'empty kernel {options}: {p.stdout}{p.stderr}')


def the_stack_of_a_warp_has_no_races():
    """Its words were taken for those of the lane that was active first."""
    for options in (), ('--device', 'ventus2', '-march=ventus2'):
        text, found = findings('stack_of_warp', '--check=race', *options)
        if found:
            sys.exit(f'stack_of_warp: {found}\n{text}')


def main():
    the_stack_of_a_warp_has_no_races()
    if '--assembly' not in sys.argv:
        an_empty_kernel_declares_the_registers_of_the_start()
    wanted = kernels(SOURCE.read_text(encoding='utf-8').splitlines())
    for kernel, mistakes in wanted.items():
        text, found = findings(kernel, '--check=scalar')
        if found != mistakes:
            sys.exit(f'{kernel}: {found}, expected {mistakes}\n{text}')
        text, found = findings(kernel, '--check=memory')
        if found:
            sys.exit(f'{kernel}: {found} without scalar\n{text}')
    print(f'{len(wanted)} kernels, {sum(map(bool, wanted.values()))} wrong')


if __name__ == '__main__':
    main()
