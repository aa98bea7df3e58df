#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""printf from kernel to text, compiled for this machine.

    printf.py VENTUS_CC CLANG CC ROOT OUT

printf.c plays work-items and host: it provides the print buffer, drains it
when kernels ask, and formats the records as the runtime will.
"""
import ctypes
import random
import struct
import sys
from pathlib import Path

import host

CASES = [  # arguments of printf, what it prints
    (r'"plain %% text\n"', 'plain % text\n'),
    (r'"%d %i %u %x %o|", -1, 42, 7, 255, 8', '-1 42 7 ff 10|'),
    (r'"%5d|%-5d|%05d|%+d|% d|%.3d", 42, 42, 42, 42, 42, 7',
     '   42|42   |00042|+42| 42|007'),
    (r'"%ld %lu %lx", -5000000000L, 18446744073709551615UL, 1L << 40',
     '-5000000000 18446744073709551615 10000000000'),
    (r'"%hhd %hd %hhu", (char)-3, (short)-300, (uchar)200', '-3 -300 200'),
    (r'"%f %.2f %e %g %a", 1.5f, 2.345f, 1e10f, 0.1f, 1.0f',
     '1.500000 2.35 1.000000e+10 0.1 0x1p+0'),
    (r'"%f %.10f", 0.1, 1.0 / 3.0', '0.100000 0.3333333333'),
    (r'"%c%c%c", "abc"[0], 0x62, (char)99', 'abc'),
    (r'"%s and %s|%6s|%-6s|%.2s", "one", "two", "r", "l", "cut"',
     'one and two|     r|l     |cu'),
    (r'"%v4f", (float4)(1, 2, 3, 4)',
     '1.000000,2.000000,3.000000,4.000000'),
    (r'"%v4hlf", (float4)(1, 2, 3, 4)',
     '1.000000,2.000000,3.000000,4.000000'),
    (r'"%v2hlf|%v3hlf", (float2)(1, 2), (float3)(4, 5, 6)',
     '1.000000,2.000000|4.000000,5.000000,6.000000'),
    (r'"%#v2hhx", (char2)(0x1a, (char)0xfb)', '0x1a,0xfb'),
    (r'"%v4hhd %v8hd", (char4)(-1, 2, -3, 4), (short8)(-7)',
     '-1,2,-3,4 -7,-7,-7,-7,-7,-7,-7,-7'),
    (r'"%v4hld|%v16hhu", (int4)(1, -2, 3, -4), (uchar16)(200)',
     '1,-2,3,-4|' + ','.join(['200'] * 16)),
    (r'"%v2ld %v2lf", (long2)(-1, 1L << 33), (double2)(0.5, -2.5)',
     '-1,8589934592 0.500000,-2.500000'),
    (r'"%5.1v2hlf|", (float2)(1.25f, 22.75f)', '  1.2, 22.8|'),
    (r'"%f %f %f", INFINITY, -INFINITY, NAN', 'inf -inf nan'),
    (r'"%d: %s\n", 12345, tail("yes")', '12345: yes\n'),
    (r'"%s", 1 ? "left" : "right"', 'left'),
    (r'"%p", (global int *)0x90000010', '0x90000010'),
    (r'"%zu %zx|%6zu|%zd", sizeof(int4), (size_t)255, (size_t)7, (size_t)-1',
     '16 ff|     7|-1'),
    (r'"%td|%+ti|%tx", (global int *)64 - (global int *)128, (ptrdiff_t)3, '
     '(ptrdiff_t)10', '-16|+3|a'),
    (r'"%s", text', 'constant text'),
    # Into a string: from its first byte on to the zero behind its last.
    (r'"%s|%s|%s", text + 1, text + 9, text + 12', 'onstant text|text|t'),
    (r'"[%s]", text + 13', '[]'),
    (r'"%s%s", "ab\0cd" + 3, &"word"[2]', 'cdrd'),
    (r'"[%s]%s", "", "\0behind"', '[]'),
]


# ---- formats by chance: what the C library makes of them ----

LIBC = ctypes.CDLL(None)
BITS = {'hh': 8, 'h': 16, '': 32, 'l': 64, 'z': 64, 't': 64}
TYPES = {'hh': 'char', 'h': 'short', '': 'int', 'hl': 'int', 'l': 'long',
         'z': 'long', 't': 'long'}  # of this machine
NUMBERS = [0.0, 1.0, -1.5, 2.5, 0.1, 123456.789, 1e-5, -9.999999e9, 1e20,
           3.0e-30, 0.5, 99999.5, -0.0, float('inf'), float('-inf')]


def by_libc(form, value):
    buffer = ctypes.create_string_buffer(512)
    LIBC.snprintf(buffer, 512, form.encode(), value)
    return buffer.value.decode()


def flags(rng, allowed):
    return ''.join(f for f in allowed if rng.random() < .25) + \
        rng.choice(['', '', '1', '7', '23'])


def constant(x, kind):
    if x in (float('inf'), float('-inf')):
        return f'({kind}){"-" * (x < 0)}INFINITY'
    return f'({kind}){x.hex()}'


def integer(rng, width):
    """One conversion: the directive, its argument, what it prints."""
    length = rng.choice(['hh', 'h', 'hl', 'l'] if width else list(BITS))
    conversion = rng.choice('diuxXo')
    form = flags(rng, '-+ 0' if conversion in 'di' else
                 '-0' if conversion == 'u' else '-#0') + \
        rng.choice(['', '', '.0', '.3', '.12'])
    bits = BITS[length.replace('hl', '')]
    kind = 'u' * (conversion not in 'di') + TYPES[length]
    values = [rng.choice([0, 1, -1, 2**(bits - 1) - 1, 1 - 2**(bits - 1),
                          rng.randrange(-99, 100)]) for _ in range(width or 1)]
    if conversion not in 'di':
        values = [v % 2**bits for v in values]
    texts = [f'({kind})({v}{"uL" if v >= 2**63 else "L"})' for v in values]
    of = length if length in ('l', 'z', 't') else length.replace('hl', '')
    printed = [by_libc(f'%{form}{of}{conversion}', ctypes.c_longlong(v))
               for v in values]
    vector = f'v{width}' if width else ''
    argument = f'({kind}{width})({", ".join(texts)})' if width else texts[0]
    return f'%{form}{vector}{length}{conversion}', argument, ','.join(printed)


def floating(rng, width):
    length = rng.choice(['hl', 'l']) if width else ''
    conversion = rng.choice('fFeEgGaA')
    form = flags(rng, '-+ #0') + rng.choice(['', '', '.0', '.1', '.9'])
    kind = 'float' if length == 'hl' or rng.random() < .5 else 'double'
    if length == 'l':
        kind = 'double'
    values = [rng.choice(NUMBERS) for _ in range(width or 1)]
    if kind == 'float':
        values = [struct.unpack('f', struct.pack('f', v))[0] for v in values]
    printed = [by_libc(f'%{form}{conversion}', ctypes.c_double(v))
               for v in values]
    texts = [constant(v, kind) for v in values]
    vector = f'v{width}' if width else ''
    argument = f'({kind}{width})({", ".join(texts)})' if width else texts[0]
    return f'%{form}{vector}{length}{conversion}', argument, ','.join(printed)


def letters(rng, _width):
    form = rng.choice(['', '-', '5', '-9', '1'])
    if rng.random() < .4:
        letter = rng.choice('aZ0~ ')
        return f'%{form}c', f"'{letter}'", \
            by_libc(f'%{form}c', ctypes.c_int(ord(letter)))
    form += rng.choice(['', '.0', '.2', '.40'])
    word = rng.choice(['', 'x', 'warp', 'a longer text'])
    return f'%{form}s', f'"{word}"', \
        by_libc(f'%{form}s', ctypes.c_char_p(word.encode()))


def by_chance(count):
    """Calls of printf with up to 20 conversions."""
    rng = random.Random(5)
    for _ in range(count):
        parts = [rng.choice([integer, integer, floating, floating, letters])(
            rng, rng.choice([0, 0, 2, 3, 4, 8, 16]))
            for _ in range(rng.choice([1, 4, 4, 20]))]
        forms, arguments, printed = zip(*parts)
        yield f'"{"|".join(forms)}", {", ".join(arguments)}', \
            '|'.join(printed)


def literal(text):
    """As the inside of a string of C."""
    return text.replace('\\', '\\\\').replace('\n', '\\n').replace('"', '\\"')


def main():
    cc, clang, host_cc, root, out = sys.argv[1:]
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    cases = CASES + list(by_chance(150))
    kernels = ''.join(
        f'kernel void k{i}(global int *o) {{ o[0] = printf({args}); }}\n'
        for i, (args, _) in enumerate(cases))
    (out / 'printf.cl').write_text(
        'constant char text[] = "constant text";\n'
        'constant char *tail(constant char *s) { return s; }\n' + kernels +
        'kernel void item(global int *o) {\n'
        '  o[0] = printf("item %d, %v3d\\n", o[1], (int3)(1, 2, 3)); }\n')
    (out / 'cases.inc').write_text(''.join(
        f'CASE({i}, "{literal(text)}")\n'
        for i, (_, text) in enumerate(cases)))
    host.compile_kernels(cc, clang, out / 'printf.cl', out / 'kernels.o',
                         ['-w'])
    root = Path(root)
    host.build(host_cc, [root / 'tests/cc/front/printf.c',
                         root / 'src/abi/print_format.c',
                         root / 'src/base/buf.c', root / 'src/base/arena.c',
                         root / 'src/base/oom.c',
                         out / 'kernels.o'], out / 'printf',
               [f'-I{out}', f'-I{root}/src', f'-I{root}/tests'])
    return host.subprocess.run([str(out / 'printf')], check=False).returncode


if __name__ == '__main__':
    sys.exit(main())
