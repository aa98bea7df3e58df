#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Images in GDB: what `info image` shows of formats and pixels that a host program in
Python has made; each value follows from the bytes, by hand.

    images.py VENTUS"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PYTHON = '/usr/bin/python3'
HOST = '''
import numpy as np, pyopencl as cl
ctx = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(ctx)
order, kind = cl.channel_order, cl.channel_type
flags = cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR

def image(o, k, shape, data):
    return cl.Image(ctx, flags, cl.ImageFormat(o, k), shape=shape, hostbuf=data)

unorm = image(order.RGBA, kind.UNORM_INT8, (3, 2), np.arange(24, dtype=np.uint8) * 10)
swapped = image(order.BGRA, kind.UNORM_INT8, (1, 1), np.array([0, 51, 255, 102], np.uint8))
sign = image(order.RG, kind.SIGNED_INT16, (2, 1), np.array([-1, 32767, -32768, 5], np.int16))
snorm = image(order.R, kind.SNORM_INT8, (3, 1), np.array([-128, 127, 0], np.int8))
real = image(order.R, kind.FLOAT, (2, 2, 2), np.arange(8, dtype=np.float32) / 4)
halves = image(order.RGBA, kind.HALF_FLOAT, (1, 1), np.array([1.5, -2, 6e-8, np.inf], np.float16))
words = image(order.RGBA, kind.UNSIGNED_INT32, (1, 1), np.array([2 ** 32 - 1, 0, 7, 8], np.uint32))
p = cl.Program(ctx, """
kernel void look(read_only image2d_t unorm, read_only image2d_t swapped,
                 read_only image2d_t sign, read_only image2d_t snorm,
                 read_only image3d_t real, read_only image2d_t halves,
                 read_only image2d_t words, global int *out) {
    out[0] = get_image_width(unorm) + get_image_width(real);
}""").build("-g")
out = cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 64)
p.look(queue, (1,), (1,), unorm, swapped, sign, snorm, real, halves, words, out)
queue.finish()
'''
# command: patterns of its output, in order
COMMANDS = {
    'info image': [
        'unorm: 3 x 2 x 1, RGBA, UNORM_INT8, 4 bytes a pixel', 'swapped: .* BGRA',
        'sign: 2 x 1 x 1, RG, SIGNED_INT16', 'snorm: .* R, SNORM_INT8',
        'real: 2 x 2 x 2, R, FLOAT', 'halves: .* HALF_FLOAT', 'words: .* UNSIGNED_INT32, 16 bytes'],
    'info image unorm': [  # channel c of (x, y) is 10 (c + 4 x + 12 y) / 255
        r'\(0,0,0\) R 0 G 0\.0392157 B 0\.0784314 A 0\.117647', r'\(1,0,0\) R 0\.156863',
        r'\(2,0,0\) R 0\.313725'],
    'info image unorm 2,1 9': [
        r'\(2,1,0\) R 0\.784314 G 0\.823529 B 0\.862745 A 0\.901961\n$'],
    'info image unorm 3,0': [r'\(3,0,0\) is outside of the image'],
    'info image unorm 0,0,1': ['is outside of the image'],
    'info image swapped': [r'\(0,0,0\) B 0 G 0\.2 R 1 A 0\.4'],
    'info image sign': [r'\(0,0,0\) R -1 G 32767', r'\(1,0,0\) R -32768 G 5'],
    'info image snorm': [r'R -1\n', r'R 1\n', r'R 0\n'],
    'info image real 1,0,1 1': [r'\(1,0,1\) R 1\.25\n$'],
    'info image halves': [r'R 1\.5 G -2 B 5\.96046e-08 A inf'],
    'info image words': ['R 4294967295 G 0 B 7 A 8'],
    'info image out': ["the kernel has no image 'out'"],
    'info image unorm x': ['expected NAME'],
    'info image unorm 0,0 257': ['COUNT at most 256'],
}


def shown(device):
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / 'host.py'
        script.write_text(HOST, encoding='utf-8')
        command = [sys.argv[1], 'debug', '--batch', '--device', device]
        for each in COMMANDS:
            command += ['--ex', f'echo \\n== {each}\\n', '--ex', each]
        p = subprocess.run([*command, '--', PYTHON, str(script)], check=False,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return p.stdout


def check(device):
    text, wrong = shown(device), 0
    parts = dict(part.split('\n', 1) for part in text.split('\n== ')[1:])
    for command, patterns in COMMANDS.items():
        at, part = 0, parts.get(command, '') + '\n'
        part = part.replace('\n\n', '\n')
        for pattern in patterns:
            found = re.compile(pattern).search(part, at)
            if not found:
                print(f'{device}: {command}: no {pattern!r} in\n{part}')
                wrong += 1
                break
            at = found.end()
    if wrong:
        print(text)
    return wrong


def main():
    if subprocess.run([PYTHON, '-c', 'import pyopencl'], check=False,
                      capture_output=True).returncode:
        print('no python3-pyopencl: nothing is tested')
        return
    sys.exit(sum(check(device) for device in ('default', 'ventus2')) != 0)


if __name__ == '__main__':
    main()
