#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ventus exec` shows what kernels print, on both machines: numbers, literal
strings, strings in memory, more than the print buffer holds, by many calls, in critical sections;
beside --json on
standard error.

    prints.py VENTUS
"""
import json
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

VENTUS = sys.argv[1]
KERNEL = r'''
constant char inside[] = "constant";
kernel void say(global const char *given)
{
    int i = get_global_id(0);
    printf("%d %s %v2d %.2f %s %s\n", i, "literal", (int2)(i, -i), i * 0.5,
           inside, given);
}
'''
# Kernels that never end: what they printed is shown, then the limit is hit.
ENDLESS = r'''
kernel void for_ever(void) { printf("%d\n", (int)get_global_id(0)); for (;;); }
kernel void unreachable(global int *stop)
{
    printf("%d\n", (int)get_global_id(0));
    if (*stop)
        return;
    __builtin_unreachable();
}
void say(int i) { printf("%d\n", i); }
kernel void inlined(void) { say(get_global_id(0)); __builtin_unreachable(); }
/* Branches of lanes inside of a loop without an end. */
kernel void parts(global int *x)
{
    int i = get_global_id(0), n = 0;
    for (;;) {
        if (x[i] & 1)
            x[i] = x[i] * 3 + 1;
        else
            x[i] = x[i] / 2;
        if (++n == 5)
            printf("%d %d\n", i, x[i]);
    }
}
'''
ITEMS = 2048  # at 40 bytes a record, more than 64 KiB


def after_five(x):
    for _ in range(5):
        x = x * 3 + 1 if x & 1 else x // 2
    return x


def timed(program):
    """The limit of time ends the launch on each machine, and all was written before."""
    failures = []
    for machine in [], ['--model', 'chisel'], ['--device', 'lanes8'], ['--threads', '2']:
        done = subprocess.run([VENTUS, 'exec', program, 'for_ever', '--grid', '8', '--local', '8',
                               '--time-limit', '1000', *machine],
                              text=True, check=False, capture_output=True)
        if done.returncode != 1 or 'limit exceeded: max_ms' not in done.stderr or \
                sorted(done.stdout.split()) != [f'{i}' for i in range(8)]:
            failures.append(f'{machine}: status {done.returncode}, {done.stdout[:200]!r} '
                            f'{done.stderr[-300:]}')
    return failures


def endless(tmp):
    """Failures; what follows __builtin_unreachable() is anything."""
    source, program = Path(tmp) / 'endless.cl', Path(tmp) / 'endless.elf'
    source.write_text(ENDLESS)
    made = subprocess.run([VENTUS, 'cc', source, '-o', program], text=True,
                          capture_output=True, check=False)
    if made.returncode:
        return [made.stderr]
    failures = timed(program)
    counted = [f'{i}' for i in range(8)]
    steps = [f'{i} {after_five(i)}' for i in range(8)]
    for kernel, args, wanted in [('for_ever', [], counted),
                                 ('unreachable', ['zeros:1'], counted),
                                 ('inlined', [], counted),
                                 ('parts', ['iota:8'], steps)]:
        command = [VENTUS, 'exec', program, kernel, '--grid', '8', '--local',
                   '8', '--limit', '20000']
        for arg in args:
            command += ['--arg', arg]
        done = subprocess.run(command, text=True, check=False,
                              capture_output=True)
        ended = done.returncode == 0
        limit = done.returncode == 1 and 'limit exceeded' in done.stderr
        ok = limit or (ended and kernel in ('unreachable', 'inlined'))
        if not ok or sorted(done.stdout.split('\n')[:-1]) != wanted:
            failures.append(f'{kernel}: status {done.returncode}, '
                            f'{done.stdout[:200]!r} {done.stderr[-300:]}')
    return failures


def many(tmp):
    """A time limit holds while the host writes what was printed: records of 8
    bytes that are a megabyte of text each, 6,400 of them at once."""
    source, program = Path(tmp) / 'many.cl', Path(tmp) / 'many.elf'
    source.write_text('kernel void many(void) { '
                      'for (int i = 0; i < 100; i++) printf("'
                      + 1000000 * 'x' + '"); }\n')
    subprocess.run([VENTUS, 'cc', source, '-o', program], check=True)
    done = subprocess.run([VENTUS, 'exec', program, 'many', '--grid', '64',
                           '--local', '64', '--set', 'max_ms=300'], text=True,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          check=False)
    if done.returncode == 1 and 'limit exceeded: max_ms' in done.stderr:
        return []
    return [f'many: status {done.returncode}, {done.stderr[-300:]}']


def formats_without_contents(tmp):
    """A table of formats of type "no bits" has a size and no bytes: it ended the
    host.  Its launches print nothing."""
    source, program = Path(tmp) / 'none.cl', Path(tmp) / 'none.elf'
    source.write_text('kernel void none(void) { printf("x"); }\n')
    subprocess.run([VENTUS, 'cc', source, '-o', program], check=True)
    elf = bytearray(program.read_bytes())
    headers, = struct.unpack_from('<I', elf, 0x20)
    size, count, names = struct.unpack_from('<3H', elf, 0x2e)
    name_of, = struct.unpack_from('<I', elf, headers + names * size + 0x10)
    changed = 0
    for at in range(headers, headers + count * size, size):
        name = name_of + struct.unpack_from('<I', elf, at)[0]
        if elf[name:].startswith(b'.ventus.printf\0'):
            struct.pack_into('<I', elf, at + 4, 8)  # SHT_NOBITS
            changed += 1
    program.write_bytes(elf)
    done = subprocess.run([VENTUS, 'exec', program, '--grid', '8'], text=True,
                          check=False, capture_output=True)
    if changed == 1 and done.returncode in (0, 1) and not done.stdout:
        return []
    return [f'none: {changed} changed, status {done.returncode}, {done.stdout} '
            f'{done.stderr[-300:]}']


# Prints inside and behind a critical section, more than the buffer holds.
LOCKED = r'''
kernel void locked(global int *lock)
{
    int i = get_global_id(0);
    for (;;) {
        if (atomic_cmpxchg(lock, 0, 1) != 0)
            continue;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        printf("in %d\n", i);
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(lock, 0);
        break;
    }
    if (i & 1)
        printf("odd %d\n", i);
    else
        for (int k = 0; k < i % 5; k++)
            printf("even %d %d\n", i, k);
}
'''


def calls(tmp):
    """Many calls in one kernel: their loops were made one loop around a block where all
    meet, and the compiler had no memory for it."""
    source, n = Path(tmp) / 'calls.cl', 200
    source.write_text('kernel void calls(global int *x)\n{\n'
                      '    int i = get_global_id(0);\n' + ''.join(
                          f'    printf("{k} %d\\n", x[i] + {k});\n' for k in range(n)) + '}\n')
    locked = Path(tmp) / 'locked.cl'
    locked.write_text(LOCKED)
    wanted = {source: [f'{k} {i + k}' for i in range(64) for k in range(n)],
              locked: [f'in {i}' for i in range(ITEMS)] +
              [f'odd {i}' for i in range(1, ITEMS, 2)] +
              [f'even {i} {k}' for i in range(0, ITEMS, 2) for k in range(i % 5)]}
    launch = {source: ['--grid', '64', '--arg', 'iota:64'],
              locked: ['--grid', str(ITEMS), '--arg', 'zeros:1']}
    failures = []
    for path, lines in wanted.items():
        for how in [['--device', d, o] for d in ('default', 'ventus2') for o in ('-O0', '-O2')]:
            done = subprocess.run([VENTUS, 'exec', *how, path, *launch[path], '--local', '32'],
                                  text=True, check=False, capture_output=True)
            if done.returncode or sorted(done.stdout.splitlines()) != sorted(lines):
                failures.append(f'{path.name} {how}: status {done.returncode}, '
                                f'{done.stdout[:200]!r} {done.stderr[-300:]}')
    return failures


def main():
    failures = []
    with tempfile.TemporaryDirectory() as tmp:
        source, program = Path(tmp) / 'say.cl', Path(tmp) / 'say.elf'
        source.write_text(KERNEL)
        given = Path(tmp) / 'given'
        given.write_bytes(b'memory\0')
        subprocess.run([VENTUS, 'cc', source, '-o', program], check=True)
        wanted = sorted(f'{i} literal {i},{-i} {i * 0.5:.2f} constant memory'
                        for i in range(ITEMS))
        base = [VENTUS, 'exec', program, '--grid', str(ITEMS), '--local', '64',
                '--arg', f'buf:{given}']
        for more in [], ['--model', 'chisel'], ['--json']:
            done = subprocess.run(base + more, text=True, check=False,
                                  capture_output=True)
            shown = done.stderr if '--json' in more else done.stdout
            lines = sorted(s for s in shown.splitlines() if 'literal' in s)
            if done.returncode or lines != wanted:
                failures.append(f'{more}: status {done.returncode}, '
                                f'{len(lines)} lines, {lines[:3]} '
                                f'{done.stderr[-300:]}')
            if '--json' in more:
                json.loads(done.stdout)
        failures += endless(tmp)
        failures += many(tmp)
        failures += calls(tmp)
        failures += formats_without_contents(tmp)
    print('\n'.join(failures + [f'{len(failures)} failed']))
    sys.exit(bool(failures))


main()
