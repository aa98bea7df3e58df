#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How large must the L1 data cache be?  Sweeps its sets and ways for a kernel
whose work-items each read a row of a matrix, and plots cycles and hit rates.

    python3 cache_sweep.py                  # a table, and a plot in text
    python3 cache_sweep.py --png sweep.png  # a picture, if matplotlib is there

Each `# %%` begins a cell for editors that run files cell by cell.
"""
# %% The kernel: lanes read words of different lines, and the next words later.
# Only a cache that keeps a line for each work-item reads each line once.
import argparse

import numpy as np

import ventus

SOURCE = '''
kernel void sum_rows(global const uint *matrix, global uint *sum, uint width)
{
    uint row = get_global_id(0), s = 0;
    for (uint i = 0; i < width; i++)
        s += matrix[row * width + i];
    sum[row] = s;
}
'''
ROWS, WIDTH = 128, 64  # 32 KiB


# %% One point: a device of its own, so that caches are as new.
def measure(preset, **settings):
    """The result of a launch on a device with these settings, checked."""
    matrix = np.arange(ROWS * WIDTH, dtype=np.uint32).reshape(ROWS, WIDTH)
    with ventus.Device(preset, num_sm=1, **settings) as d:
        kernel = d.compile(SOURCE)['sum_rows']
        sums = d.empty(ROWS, np.uint32)
        line = d.setting('dcache_line')
        result = kernel(d.buffer(matrix), sums, WIDTH, global_size=ROWS,
                        local_size=ROWS // 2)
        assert (sums.read() == matrix.sum(axis=1)).all()
        return result, line


def hit_rate(counters):
    hits, misses = counters['read_hits'], counters['read_misses']
    return hits / (hits + misses)


# %% The sweep.
def sweep(preset, sets, ways):
    """Rows of KiB, ways, cycles, hit rate (0 to 1)."""
    rows = []
    for w in ways:
        for s in sets:
            result, line = measure(preset, dcache_sets=s, dcache_ways=w)
            rows.append((s * w * line / 1024, w, result.cycles,
                         hit_rate(result.counters)))
    return rows


# %% The plot.
def draw(rows, path):
    """A picture, by matplotlib."""
    import matplotlib
    matplotlib.use('Agg')
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(7, 4))
    for w in sorted({row[1] for row in rows}):
        points = [(row[0], row[2]) for row in rows if row[1] == w]
        axes.plot(*zip(*points), marker='o', label=f'{w} ways')
    axes.set_xscale('log', base=2)
    axes.set_xlabel('L1 data cache (KiB)')
    axes.set_ylabel('cycles')
    axes.set_ylim(bottom=0)
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=120)


def print_rows(rows):
    longest = max(row[2] for row in rows)
    print('   KiB  ways   cycles  read hits')
    for size, ways, cycles, rate in rows:
        bar = '#' * round(40 * cycles / longest)
        print(f'{size:6.1f} {ways:5d} {cycles:8d} {100 * rate:9.1f} %  {bar}')


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--preset', default='chisel')
    parser.add_argument('--sets', type=int, nargs='+', default=[16, 64, 256])
    parser.add_argument('--ways', type=int, nargs='+', default=[1, 2])
    parser.add_argument('--png', help='write a picture (needs matplotlib)')
    options = parser.parse_args()
    rows = sweep(options.preset, options.sets, options.ways)
    print_rows(rows)
    if options.png:
        draw(rows, options.png)


if __name__ == '__main__':
    main()
