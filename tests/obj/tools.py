#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares our objects and our reader with the tools of LLVM.

    tools.py WRITE_SAMPLE

WRITE_SAMPLE is the program of write_sample.c.  A tool that is missing is a
failure: scripts/setup installs them.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SAMPLE = sys.argv[1]
SOURCE = """\
int g(int x);
int first(int x)
{
    int y = g(x);
    for (int i = 0; i < x; i++)
        y += g(i) * y;
    return y;
}
__attribute__((section(".text.other"))) int second(int x)
{
    return x ? first(x) + 1 : g(2);
}
"""
errors = 0


def run(*command, ok=True, warns=False):
    """What the command prints; it must succeed, without complaining."""
    global errors
    try:
        done = subprocess.run([str(c) for c in command], text=True,
                              capture_output=True, check=False)
    except FileNotFoundError:
        sys.exit(f'{command[0]}: not installed; see scripts/setup')
    complains = 'warning' in done.stderr or 'error' in done.stderr
    if (done.returncode == 0) != ok or (ok and complains and not warns):
        print(f'{" ".join(map(str, command))}\n'
              f'{done.stdout}{done.stderr}exit status {done.returncode}')
        errors += 1
    return done.stdout + ('' if ok else done.stderr)


def expect(text, *patterns):
    global errors
    for pattern in patterns:
        if not re.search(pattern, text, re.M):
            print(f'expected {pattern!r} in:\n{text}')
            errors += 1


def link(out, *objects):
    """At 0x80000000, as kernels are."""
    run('ld.lld-19', '-Ttext=0x80000000', '-e', 'first', '-o', out, *objects)


def check_object(path):
    text = run('llvm-readelf-19', '-h', '-S', '-s', '-r', path)
    expect(text, r'Machine: +RISC-V', r'Type: +REL', r'Class: +ELF32',
           r'\.text +PROGBITS .* AX ', r'\.bss +NOBITS .* 000040 00 +WA .* 16$',
           r'\.rela\.data +RELA', r'FUNC +GLOBAL DEFAULT +\d+ first$',
           r'NOTYPE +LOCAL +DEFAULT +\d+ local$',
           r'70000000 .* HIDDEN +ABS constant$', r'WEAK +DEFAULT +UND elsewhere',
           r'R_RISCV_32 +00000000 +first - 4')
    expect(run('llvm-objdump-19', '-d', '-l', path),
           r'/code/k\.cl:10$', r'/usr/include/cl/math\.h:300$',
           r'<second>:\n; second\(\):\n; /code/inc/inc\.h:7$')
    run('llvm-dwarfdump-19', '--verify', path)
    expect(run('llvm-dwarfdump-19', '--debug-line', path),
           r'^0x0+8 +300 +9 +1 ', r'^0x0+194 +6 .*end_sequence')
    expect(run('llvm-readelf-19', '-n', path), r'Ventus +0x00000004')


def check_linked(path):
    run('llvm-dwarfdump-19', '--verify', path)
    start = dict(re.findall(r'^(\w+) .* (first|second)$',
                            run('llvm-nm-19', path), re.M))
    start = {name: int(value, 16) for value, name in start.items()}
    for name, offset, place in (('first', 0, '/code/k.cl:10:1'),
                                ('first', 12, '/usr/include/cl/math.h:300:9'),
                                ('second', 396, '/code/inc/inc.h:7:0'),
                                ('second', 400, '/code/inc/inc.h:6:2')):
        text = run('llvm-symbolizer-19', '-e', path, hex(start[name] + offset))
        expect(text, re.escape(f'{name}\n{place}\n'))
    expect(run(SAMPLE, 'kernels', path), r'^first\nsecond\n$')
    expect(run(SAMPLE, 'isa', path), r'^1$')


def dumped_rows(path):
    """{(address, line, column, end)} as llvm-dwarfdump-19 has them.

    It warns that it cannot relocate R_RISCV_SET_ULEB128 in clang's objects,
    which are in other sections.
    """
    text = run('llvm-dwarfdump-19', '--debug-line', path, warns=True)
    rows = re.findall(r'^0x(\w+) +(\d+) +(\d+) +\d+ +\d+ +\d+ +\d*(.*)$', text,
                      re.M)
    return {(int(a, 16), int(l), int(c), 'end_sequence' in f)
            for a, l, c, f in rows}


def own_rows(path):
    return {(int(a, 16), int(l), int(c), end == ' end') for a, l, c, end in
            re.findall(r'^(0x\w+) (\d+) (\d+) .*?( end)?$',
                       run(SAMPLE, 'lines', path), re.M)}


def same_rows(path, source):
    global errors
    dumped, own = dumped_rows(path), own_rows(path)
    if not dumped or dumped != own:
        print(f'{path}: only in llvm-dwarfdump: {sorted(dumped - own)}\n'
              f'only in ours: {sorted(own - dumped)}')
        errors += 1
    expect(run(SAMPLE, 'lines', path), f'{re.escape(source)}$')


def check_reader(folder):
    """Our reader on clang's objects, of each version and each class."""
    source = folder / 'source.c'
    source.write_text(SOURCE, encoding='utf-8')
    for version in (2, 3, 4, 5):
        for bits in (32, 64):
            for extra in ([], ['-mno-relax'], ['-O2']):
                path = folder / f'clang{version}.{bits}.o'
                run('clang-19', f'--target=riscv{bits}', f'-gdwarf-{version}',
                    *extra, '-c', source, '-o', path)
                same_rows(path, 'source.c')
            linked = folder / f'clang{version}.{bits}'
            run('ld.lld-19', '--defsym=g=0x80000000', '-Ttext=0x80000000',
                '-e', 'first', '-o', linked, path)
            same_rows(linked, 'source.c')


def check_mixed(folder):
    """v1 and v2 in one program are found out after linking."""
    for isa in (1, 2):
        run(SAMPLE, 'note', folder / f'v{isa}.o', isa)
    link(folder / 'same', folder / 'k.o', folder / 'v1.o')
    expect(run(SAMPLE, 'isa', folder / 'same'), r'^1$')
    link(folder / 'mixed', folder / 'k.o', folder / 'v2.o')
    expect(run(SAMPLE, 'isa', folder / 'mixed', ok=False),
           'code for v1 and for v2 of the instruction set is mixed')


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(SAMPLE, 'object', folder / 'k.o')
        check_object(folder / 'k.o')
        same_rows(folder / 'k.o', 'math.h')
        link(folder / 'k', folder / 'k.o')
        check_linked(folder / 'k')
        same_rows(folder / 'k', 'math.h')
        check_mixed(folder)
        check_reader(folder)
    print(f'{errors} errors')
    return errors != 0


if __name__ == '__main__':
    sys.exit(main())
