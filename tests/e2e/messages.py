#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What strangers type first, and what they are told: status and words of each.

    messages.py VENTUS TREE [with-cc]
"""
import subprocess
import sys
import tempfile
from pathlib import Path

VENTUS, TREE = sys.argv[1], Path(sys.argv[2])
WITH_CC = 'with-cc' in sys.argv
VECADD = TREE / 'examples/vecadd.s'
FILES = {
    'square.cl': 'kernel void square(global float *in, int n) { in[n] *= in[0]; }\n',
    'nokernel.cl': 'int f(int x) { return x; }\n',
    'many.cl': ''.join(f'kernel void {name}(global int *a) {{ a[0] = 1; }}\n' for name in
                       ('reduce', 'loop', 'vec', 'serial_atomic', 'last')),
    'pair.cl': 'typedef struct { int a; float b; } pair;\n'
               'kernel void p(pair v, global float *o) { o[0] = v.a + v.b; }\n',
    'image.cl': 'kernel void im(read_only image2d_t i, global int *o)'
                '{ o[0] = get_image_width(i); }\n',
    'nosection.ini': 'num_thread = 8\n',
    'wrong_section.ini': '[memory]\nnum_thread = 8\n',
}
# Status, words that are printed, the command; files are those above.
CASES = [
    (0, 'usage: ventus exec', 'help', 'exec'),
    (0, 'usage: ventus isa', 'help', 'isa'),
    (2, "unknown command 'exce', did you mean 'exec'?", 'help', 'exce'),
    (0, 'usage: ventus COMMAND', 'help'),
    (2, "expected help COMMAND, found 'more' too", 'help', 'exec', 'more'),
    (0, 'ventus ', 'version'),
    (2, "did you mean 'version'?", 'versoin'),
    (0, 'vadd.vi            vd[i] = vs2[i] + imm', 'isa', 'vadd'),
    (0, '"name":"vadd.vx"', 'isa', '--json', 'vadd'),
    (1, "did you mean 'vadd.vv'?", 'isa', 'vad'),
    (0, 'tld.{sp} {tdn}, {imm10}({rs1}){n}{m}', 'isa', 'tld'),
    (0, 'tlds.{sp} {tdn}, {imm5}({rs1}), {rs2}{n}{m}', 'isa', 'tlds.g'),
    (0, 'tmma.{', 'isa', 'tmma'),
    (0, 'tcommit.tma', 'isa', 'tile'),
    (1, "unknown instruction 'tldq'", 'isa', 'tldq'),
    (1, "unknown instruction 'tld'", 'isa', '-march=ventus1', 'tld'),
    (2, "run: expected an OpenCL program, found the kernels of 'square.cl': `ventus exec",
     'run', 'square.cl'),
    (2, f"found the kernels of '{VECADD}'", 'run', '--', VECADD),
    (2, "did you mean '--grid'?", 'exec', VECADD, '--global', 8),
    (2, "did you mean '--local'?", 'exec', VECADD, '--workgroup', 8),
    (2, "did you mean '--grid'?", 'exec', VECADD, '--gird', 8),
    (2, "did you mean '--time-limit'?", 'exec', VECADD, '--timeout', 8),
    (2, "--trace: expected a file for JSON (.json) or Perfetto's format (.pftrace), found "
     "'t.vcd'", 'exec', VECADD, '--model', 'chisel', '--grid', 8, '--trace', 't.vcd'),
    (2, "--report: expected a file for HTML (.html), found 'r.pdf'", 'exec', VECADD,
     '--model', 'chisel', '--grid', 8, '--report', 'r.pdf'),
    (2, "--sarif: expected a file for SARIF (.sarif), found 'f.html'", 'exec', VECADD,
     '--check', '--grid', 8, '--sarif', 'f.html'),
    (2, "run: --report: expected a file for HTML (.html), found 'r.pdf'", 'run',
     '--model', 'chisel', '--report', 'r.pdf', '--', '/bin/true'),
    (1, "nosection.ini:1: key 'num_thread' belongs in [machine], found before the first "
     'section', 'exec', VECADD, '--device', 'nosection.ini', '--grid', 8),
    (1, "belongs in [machine], found in [memory]", 'exec', VECADD, '--device',
     'wrong_section.ini', '--grid', 8),
    (2, "expected two hexadecimal digits for each byte, found '0'", 'exec', VECADD,
     '--grid', 8, '--arg', 'bytes:010'),
    (2, "found 'xy'", 'exec', VECADD, '--grid', 8, '--arg', 'bytes:xy'),
    (2, 'as in bytes:0000803f', 'exec', VECADD, '--grid', 8, '--arg', 'bytes:'),
]
WITH_COMPILER = [
    (1, "nokernel.cl: expected a kernel, found none: of OpenCL C a function 'kernel "
     "void'", 'exec', 'nokernel.cl', '--grid', 1),
    (1, "no kernel 'redcue', did you mean 'reduce'? (reduce, loop, vec, serial_atomic, "
     'last)', 'exec', 'many.cl', 'redcue', '--grid', 1),
    (1, 'expected the name of a kernel (reduce, loop, vec, serial_atomic, last)', 'exec',
     'many.cl', '--grid', 1),
    (1, 'expected 2 arguments (in: float*, n: int), found 0', 'exec', 'square.cl',
     '--grid', 1),
    (1, 'argument 0 v: expected 8 bytes (pair), found 4\nexec: note: --arg bytes:HEX '
     'gives the 8 bytes of argument 0', 'exec', 'pair.cl', '--grid', 1, '--arg', 'i32:1',
     '--arg', 'zeros:1'),
    (0, '0: 2.5', 'exec', 'pair.cl', '--grid', 1, '--arg', 'bytes:01000000_0000C03f',
     '--arg', 'zeros:1', '--show', '1:f32'),
    (1, 'argument 0 i is an image (image2d_t)', 'exec', 'image.cl', '--grid', 1, '--arg',
     'zeros:1', '--arg', 'zeros:1'),
    (2, "did you mean '-cl-fast-relaxed-math'?", 'cc', 'square.cl', '-cl-fast-relaxed'),
]


def foreign(tmp):
    """ELF files for other processors, made of one of ours: dis showed them."""
    ours = tmp / 'a.o'
    subprocess.run([VENTUS, 'as', '-o', ours, VECADD], check=True)
    image = bytearray(ours.read_bytes())
    for machine, words in (62, '62 (x86-64)'), (183, '183 (AArch64)'), (999, '999'):
        image[18:20] = machine.to_bytes(2, 'little')
        path = tmp / f'{machine}.o'
        path.write_bytes(image)
        yield (1, f'expected machine code of Ventus (ELF machine 243), found machine '
               f'{words}', 'dis', path)
    yield (1, 'expected machine code of Ventus', 'dis', '/bin/sh')


def main():
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        tmp = Path(folder)
        for name, text in FILES.items():
            (tmp / name).write_text(text)
        cases = CASES + list(foreign(tmp)) + (WITH_COMPILER if WITH_CC else [])
        for status, words, *args in cases:
            done = subprocess.run([VENTUS, *map(str, args)], cwd=tmp, text=True,
                                  capture_output=True, check=False)
            if done.returncode != status or words not in done.stdout + done.stderr:
                failures += 1
                print(f'{" ".join(map(str, args))}: status {done.returncode}, expected '
                      f'{status} and {words!r}: {done.stderr}')
    print(f'{len(cases)} commands, {failures} failures')
    return failures != 0


if __name__ == '__main__':
    sys.exit(main())
