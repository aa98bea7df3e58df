# SPDX-License-Identifier: Apache-2.0
"""darktable: a raw picture developed with and without OpenCL.

The picture is a DNG, the TIFF of raw cameras (Adobe, Digital Negative 1.4):
one 16-bit number for each pixel, behind red, green or blue by turns.
"""
import math
import random
import struct

WIDTH, HEIGHT = 320, 240
BLACK, WHITE = 512, 65535


def pixel(noise, x, y):
    """Waves of red and green and a pattern of blue, through the filter."""
    red = (math.sin(x / 17) + 1.1) * 9000
    green = (math.cos(y / 23) + 1.1) * 14000
    blue = x * y % 256 * 70
    light = ((red, green), (green, blue))[y % 2][x % 2]
    return min(max(int(light + noise.gauss(BLACK, 300)), 0), WHITE)


def rationals(kind, *values):
    return b''.join(struct.pack(f'<{kind}{kind}', round(v * 10000), 10000)
                    for v in values)


def write_dng(path):
    """A header, one directory of tags with what is longer than 4 bytes behind
    it, and the pixels."""
    noise = random.Random(2)
    pixels = struct.pack(f'<{WIDTH * HEIGHT}H', *(
        pixel(noise, x, y) for y in range(HEIGHT) for x in range(WIDTH)))
    byte, text, short, long, rational, signed = 1, 2, 3, 4, 5, 10
    at = 1024
    tags = [
        (254, long, [0]), (256, long, [WIDTH]), (257, long, [HEIGHT]),
        (258, short, [16]), (259, short, [1]),
        (262, short, [32803]),              # a color filter array
        (271, text, b'Ventus\0'), (272, text, b'Test\0'),
        (273, long, [at]), (274, short, [1]), (277, short, [1]),
        (278, long, [HEIGHT]), (279, long, [len(pixels)]), (284, short, [1]),
        (33421, short, [2, 2]), (33422, byte, [0, 1, 1, 2]),  # red first
        (50706, byte, [1, 4, 0, 0]), (50707, byte, [1, 1, 0, 0]),
        (50708, text, b'Ventus Test\0'),
        (50714, short, [BLACK]), (50717, short, [WHITE]),
        (50721, signed, rationals('i', .8, -.2, -.1, -.3, 1.2, .1, -.05, .2,
                                  .7)),     # from XYZ to the camera
        (50728, rational, rationals('I', .5, 1, .6)),         # what is neutral
        (50778, short, [21]),               # in daylight
    ]
    size = {byte: 1, text: 1, short: 2, long: 4, rational: 8, signed: 8}
    code = {byte: 'B', short: 'H', long: 'I'}
    behind = 8 + 2 + 12 * len(tags) + 4
    entries = extra = b''
    for tag, kind, values in tags:
        data = values if isinstance(values, bytes) else \
            struct.pack(f'<{len(values)}{code[kind]}', *values)
        entries += struct.pack('<HHI', tag, kind, len(data) // size[kind])
        if len(data) > 4:
            entries += struct.pack('<I', behind + len(extra))
            extra += data
        else:
            entries += data.ljust(4, b'\0')
    head = struct.pack('<2sHIH', b'II', 42, 8, len(tags)) + entries + bytes(4)
    path.write_bytes((head + extra).ljust(at, b'\0') + pixels)


def read_pfm(path):
    """Rows of floats, three for each pixel; none if there is no picture."""
    if not path.exists():
        return []
    kind, size, scale, data = path.read_bytes().split(b'\n', 3)
    width, height = (int(word) for word in size.split())
    if kind != b'PF' or len(data) != 12 * width * height:
        return []
    order = '<' if float(scale) < 0 else '>'
    return [struct.unpack_from(f'{order}{3 * width}f', data, 12 * width * y)
            for y in range(height)]


def alike(ours, theirs, border=12):
    """Within half a step of 8 bits, white being 1, but at the border, where
    the two of them guess colors differently."""
    if len(ours) != HEIGHT or len(theirs) != HEIGHT:
        return False
    return all(abs(a - b) <= 0.5 / 255
               for one, other in list(zip(ours, theirs))[border:-border]
               for a, b in zip(one[3 * border:-3 * border],
                               other[3 * border:-3 * border]))


def develop(bench, name, *arguments, **how):
    """The run, and the picture."""
    target = bench.folder / name
    run = bench.run('darktable-cli', 'in.dng', target, '--core',
                    '--configdir', bench.folder / f'{name}.config',
                    *arguments, **how)
    return run, read_pfm(target)
