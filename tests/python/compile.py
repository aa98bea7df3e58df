#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""OpenCL C and assembly from Python, and the example.

    compile.py SOURCES   the root of the source tree"""
import subprocess
import sys
import unittest
from pathlib import Path

import numpy as np

import ventus

ROOT = Path(sys.argv.pop(1))
KINDS = '''
kernel void kinds(global long *out, char c, ushort s, int i, ulong l, float f,
                  double d, float4 v, local int *m, constant int *k)
{
    m[0] = k[1];
    out[0] = c; out[1] = s; out[2] = i; out[3] = l; out[4] = f * 4;
    out[5] = d * 8; out[6] = v.y; out[7] = m[0];
}
'''


class Compile(unittest.TestCase):
    def test_arguments_become_what_the_kernel_records(self):
        for preset in ('default', 'ventus2'):
            with ventus.Device(preset) as d:
                k = d.compile(KINDS)['kinds']
                self.assertEqual([p.kind for p in k.params],
                                 ['global'] + 7 * ['value'] + ['local', 'constant'])
                out = d.empty(8, np.int64)
                k(out, -5, 65535, -7, 1 << 63, 0.25, 1.125,
                  np.array([1, 2, 3, 4], np.float32), ventus.Local(4),
                  d.buffer(np.array([8, 9], np.int32)), global_size=1)
                self.assertEqual(out.read().tolist(),
                                 [-5, 65535, -7, -1 << 63, 1, 9, 2, 9])

    def test_arguments_of_wrong_types_are_named(self):
        with ventus.Device() as d:
            k = d.compile(KINDS)['kinds']
            good = [d.empty(8, np.int64), 1, 1, 1, 1, 1, 1, bytes(16),
                    ventus.Local(4), d.empty(2, np.int32)]
            for i, value, words in (
                    (0, 5, "0 'out': expected a Buffer or None for long\*, found int"),
                    (1, 128, "1 'c': expected -128 to 127, found 128"),
                    (3, 1.5, "3 'i': expected a number of type int, found 1.5"),
                    (4, -1, "4 'l': expected 0 to 18446744073709551615, found -1"),
                    (5, 1e39, "5 'f': expected numbers that float32 can hold, found 1e.39"),
                    (5, -10**400, "5 'f': expected a number that float32 can hold"),
                    (7, 1.0, "7 'v': a value of type float4 has 16 bytes"),
                    (8, 4, r"8 'm': expected Local\(bytes\), found int")):
                with self.assertRaisesRegex(ventus.Error, words):
                    k(*good[:i], value, *good[i + 1:], global_size=1)
            with self.assertRaisesRegex(ventus.Error, 'expected 10 arguments.*found 9'):
                k(*good[:9], global_size=1)
            k(*good, global_size=1)

    def test_a_big_endian_argument_is_converted(self):
        with ventus.Device() as d:
            k = d.compile('kernel void k(global float *x, float2 v) { x[0] = v.y; }')['k']
            x = d.empty(1)
            k(x, np.array([1, 2], '>f4'), global_size=1)
            self.assertEqual(x.read()[0], 2)

    def test_messages_of_the_compiler_are_the_exception(self):
        with ventus.Device() as d:
            with self.assertRaisesRegex(ventus.BuildError,
                                        "(?s)a.cl:1:18: error: .*undeclared.*'y'"):
                d.compile('kernel void k() {y = 1;}', name='a.cl')
            p = d.compile('#warning "so"\nkernel void k() {}')
            self.assertIn('warning: "so"', p.log)
            with self.assertRaisesRegex(ventus.BuildError, "option '-nonsense'"):
                d.compile('kernel void k() {}', ['-nonsense'])

    def test_options_and_printf(self):
        with ventus.Device() as d:
            k = d.compile('kernel void k() {printf("%d\\n", N);}', ['-D', 'N=42'])
            self.assertEqual(k['k'](global_size=3).printed, '42\n' * 3)
            k = d.compile('kernel void k() {printf("%d %d\\n", N, M);}', '-D N=42 "-DM=1 + 2"')
            self.assertEqual(k['k'](global_size=1).printed, '42 3\n')

    def test_checks_find_a_race(self):
        with ventus.Device() as d:
            d.check('race')
            d.compile('kernel void k(global int *x) {x[0] = get_global_id(0);}'
                      )['k'](d.empty(1, np.int32), global_size=64)
            self.assertIn('race', str(d.findings()))

    def test_assembly(self):
        source = (ROOT / 'examples' / 'vecadd.s').read_text()
        with ventus.Device() as d:
            p = d.assemble(source, name='vecadd.s')
            a, b = np.arange(100, dtype=np.float32), np.full(100, 0.5, np.float32)
            c = d.empty(100)
            p['vecadd'](d.buffer(a), d.buffer(b), c, global_size=100, local_size=32)
            np.testing.assert_array_equal(c.read(), a + b)
            with self.assertRaisesRegex(
                    ventus.BuildError, "k.s:1:1: error: unknown instruction "
                    "'foo'\nk.s:2:2: error: .*bar"):
                d.assemble('foo x1\n bar\n', name='k.s')

    def test_assembly_with_its_own_start_and_defines(self):
        with ventus.Device() as d:
            p = d.assemble('''
    .globl _start
_start:
    csrr  t0, knl
    lw    t1, 4(t0)
    lw    t1, 0(t1)
    li    t2, N
    sw    t2, 0(t1)
    endprg
    .ventus_kernel k, sgpr=16, vgpr=4
k:  ret
''', define=['N=7'])
            x = d.empty(1, np.uint32)
            p['k'](x, global_size=1)
            self.assertEqual(x.read()[0], 7)

    def test_the_page_shows_what_the_example_prints(self):
        command = 'python3 python/examples/cache_sweep.py'
        page = (ROOT / 'docs' / 'python.md').read_text()
        shown = page.split(f'    $ {command}\n')[1].split('\n\n')[0]
        done = subprocess.run([sys.executable, '-B', *command.split()[1:]],
                              cwd=ROOT, capture_output=True, text=True, check=True)
        self.assertEqual([line.strip() for line in shown.splitlines()],
                         [line.strip() for line in done.stdout.splitlines()])

    @staticmethod
    def block(page, start):
        """The indented block that begins so, without its indent."""
        text = ''
        for line in page[page.index(start):].splitlines():
            if line and not line.startswith('    '):
                break
            text += line[4:] + '\n'
        return text

    def test_the_kernel_of_the_page_runs(self):
        page = (ROOT / 'docs' / 'python.md').read_text()
        kernel, loop = (self.block(page, start) for start in
                        ('    import numpy', '    for step in scale.steps'))
        code = kernel + ''.join(f'    {line}\n' for line in loop.splitlines())
        done = subprocess.run([sys.executable, '-B', '-c', code],
                              capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        first, *steps = done.stdout.splitlines()
        self.assertTrue(first.endswith('[0. 2. 4. 6.]'), first)
        self.assertGreater(len(steps), 10)

    def test_the_example_sweeps(self):
        done = subprocess.run(
            [sys.executable, '-B', ROOT / 'python/examples/cache_sweep.py',
             '--sets', '16', '256', '--ways', '1'], capture_output=True,
            text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        head, small, large = done.stdout.splitlines()
        self.assertEqual(head.split(), 'KiB ways cycles read hits'.split())
        self.assertEqual([line.split()[0] for line in (small, large)],
                         ['2.0', '32.0'])
        self.assertLess(int(large.split()[2]) * 1.5, int(small.split()[2]))


if __name__ == '__main__':
    unittest.main()
