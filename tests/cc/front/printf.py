#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""printf from kernel to text, compiled for this machine.

    printf.py VENTUS_CC CLANG CC ROOT OUT

printf.c plays work-items and host: it provides the print buffer, drains it
when kernels ask, and formats the records as the runtime will.
"""
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
    (r'"%s", text', 'constant text'),
]


def literal(text):
    """As the inside of a string of C."""
    return text.replace('\\', '\\\\').replace('\n', '\\n').replace('"', '\\"')


def main():
    cc, clang, host_cc, root, out = sys.argv[1:]
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    kernels = ''.join(
        f'kernel void k{i}(global int *o) {{ o[0] = printf({args}); }}\n'
        for i, (args, _) in enumerate(CASES))
    (out / 'printf.cl').write_text(
        'constant char text[] = "constant text";\n'
        'constant char *tail(constant char *s) { return s; }\n' + kernels +
        'kernel void item(global int *o) {\n'
        '  o[0] = printf("item %d, %v3d\\n", o[1], (int3)(1, 2, 3)); }\n')
    (out / 'cases.inc').write_text(''.join(
        f'CASE({i}, "{literal(text)}")\n'
        for i, (_, text) in enumerate(CASES)))
    host.compile_kernels(cc, clang, out / 'printf.cl', out / 'kernels.o',
                         ['-w'])
    root = Path(root)
    host.build(host_cc, [root / 'tests/cc/front/printf.c',
                         root / 'src/obj/print_format.c',
                         root / 'src/base/buf.c', root / 'src/base/arena.c',
                         out / 'kernels.o'], out / 'printf',
               [f'-I{out}', f'-I{root}/src', f'-I{root}/tests'])
    return host.subprocess.run([str(out / 'printf')], check=False).returncode


if __name__ == '__main__':
    sys.exit(main())
