#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ventus cc` writes the program that `ventus link` makes of its object.

    linked.py BIN FILE.cl...

What ld.lld makes of `--emit o`, and `--emit elf`, as llvm-readelf reads both:
entry, segments, sections with what is in them, symbols.  Left out are the
linker's own tables, and the .bss of the script, with its own symbols; it ends
at a word, and a segment in memory with it."""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TABLES = ['', '.bss', '.symtab', '.strtab', '.shstrtab']
SCRIPT = ['', '__bss_start', '__bss_end', '_end']
VARIABLES = """\
__constant int few[5] = { 1, 2, 3, 4, 5 };
__constant double far[1000] = { 1 };
__global int x = 7, zeros[3000];
__global int *to_x = &x;
__global char c = 'c';
__attribute__((noinline)) int f(int n, __global int *p)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += p[i] * few[i % 5];
    return s;
}
__kernel void one(__global int *p)
{
    p[get_global_id(0)] = f(p[0], p) + x++ + zeros[p[2]]++ + *to_x + c;
    printf("%d %s %g\\n", p[1], "text", far[p[3]]);
}
__kernel void two(__global float *p) { p[get_global_id(0)] = sin(p[0]); }
"""


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f'{command}: {done.stdout}{done.stderr}')
    return done.stdout


def number(x):
    return x['Value'] if isinstance(x, dict) else x


def read(path):
    """What a program is, in lists and tuples that can be compared."""
    found, = json.loads(run('llvm-readelf-19', '--elf-output-style=JSON', '-h',
                            '-l', '-S', '--section-data', '-s', path))
    head = found['ElfHeader']
    sections = [s['Section'] for s in found['Sections']]
    offset = {s['Address']: s['Offset'] for s in sections if s['Address']}
    segments = []
    for s in found['ProgramHeaders']:
        s = s['ProgramHeader']
        segments.append([number(s[k]) for k in (
            'Type', 'VirtualAddress', 'PhysicalAddress', 'FileSize', 'Flags',
            'Alignment')])
        segments[-1] += [s['Offset'] == offset[s['VirtualAddress']],
                         (number(s['MemSize']) + 3) // 4]
    contents = {s['Name']['Name']: [number(s[k]) for k in (
        'Type', 'Flags', 'Address', 'Size', 'AddressAlignment', 'EntrySize')]
        + s['SectionData']['Bytes']
        for s in sections if s['Name']['Name'] not in TABLES}
    symbols = sorted([s['Name']['Name'], s['Section']['Name'], *(number(s[k])
                     for k in ('Value', 'Size', 'Binding', 'Type', 'Other'))]
                     for s in (s['Symbol'] for s in found['Symbols'])
                     if s['Name']['Name'] not in SCRIPT)
    return {'header': [head[k] for k in ('Type', 'Machine', 'Entry')]
            + [number(head['Flags'])],
            'segments': segments, 'symbols': symbols, **contents}


def check(bin_, path, options, folder):
    """The number of differences."""
    words = [*options, '-w'] + [
        word for line in re.findall(r'^// @options (.*)', path.read_text(),
                                    re.M) for word in line.split()]
    object_, linked, own = folder / 'k.o', folder / 'lld.elf', folder / 'k.elf'
    run(bin_ / 'ventus-cc', *words, '--emit', 'o', '-o', object_, path)
    run(bin_ / 'ventus', 'link', '-o', linked, object_)
    run(bin_ / 'ventus-cc', *words, '-o', own, path)
    a, b = read(linked), read(own)
    wrong = [k for k in {**a, **b} if a.get(k) != b.get(k)]
    if wrong:
        print(f'{path} {" ".join(options)}: not as ld.lld: {wrong}')
    return len(wrong)


def main():
    bin_ = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        variables = folder / 'variables.cl'
        variables.write_text(VARIABLES)
        failed = sum(check(bin_, variables, options, folder) for options in (
            ['-cl-std=CL2.0'], ['-cl-std=CL2.0', '-g', '-O0'],
            ['-cl-std=CL2.0', '-gembed-source']))
        for path in sys.argv[2:]:
            failed += check(bin_, Path(path), [], folder)
    print(f'{failed} differences')
    sys.exit(failed != 0)


main()
