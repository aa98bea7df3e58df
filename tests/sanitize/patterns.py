#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels of irregular programs, each with a race and without, under --check.

    patterns.py VENTUS HOST [DEVICE]

The patterns are those that the literature names for programs on graphs (conditional
vertex and edge, pull, push, populate worklist, path compression), and those of
work-groups (reduction, scan, transposition, broadcast, stencil, pipeline, histogram),
in variations of direction, of where a traversal ends and of types.  A variation with
a race has a plain access instead of an atomic, the same array for what is read and
written, or no barrier.  Each of these has to have a finding `race`, no other may have
any finding."""
import concurrent.futures
import json
import subprocess
import sys
import tempfile
from pathlib import Path

VENTUS, HOST = sys.argv[1], sys.argv[2]
DEVICE = sys.argv[3] if len(sys.argv) > 3 else 'default'
N = 128  # vertices; also work-items, where not in groups of 64

HEAD = f'''
#define N {N}
int degree(int v) {{ return 1 + v % 5; }}
int next_of(int v, int k) {{ return (v * 5 + k * 7 + 1) % N; }}
'''

# How the edges of a vertex are visited.
WALKS = {
    'forward': 'for (int k = 0; k < degree(v); k++)',
    'reverse': 'for (int k = degree(v) - 1; k >= 0; k--)',
    'until': 'for (int k = 0; k < degree(v) && next_of(v, k) != N / 2; k++)',
    'last': 'for (int k = degree(v) - 1; k < degree(v); k++)',
}

# Of graphs: name, the line without a race, the line with one.
GRAPH = {
    'conditional_vertex': (
        'int hit = 0; {walk} hit |= a[next_of(v, k)] > 16; if (hit) {line}',
        'atomic_add(b, 1);', '*b += 1;'),
    'conditional_edge': (
        '{walk} if (v < next_of(v, k)) {line}',
        'atomic_inc(b);', '*b += 1;'),
    'pull': (
        '{type} most = a[v]; {walk} most = max(most, ({type})a[next_of(v, k)]);'
        ' {line}', 'b[v] = most;', 'a[v] = most + 1;'),
    'push': (
        '{walk} {line}', 'atomic_max(&b[next_of(v, k)], a[v] + N);',
        'if (b[next_of(v, k)] < a[v] + N) b[next_of(v, k)] = a[v] + N;'),
    'worklist': (
        '{walk} if (a[next_of(v, k)] > 16) {{ {line} }}',
        'int at = atomic_inc(b); if (at < N) a[N + at] = v;',
        'int at = *b; *b = at + 1; if (at < N) a[N + at] = v;'),
}

# Of work-groups: the kernel, and what is left out of it for a race.
LOCAL = 'barrier(CLK_LOCAL_MEM_FENCE);'
GLOBAL = 'barrier(CLK_GLOBAL_MEM_FENCE);'
GROUPS = {
    'reduction': (
        'local {type} t[64]; t[i] = a[g]; {fence}'
        ' for (int s = 32; s; s /= 2) {{ if (i < s) t[i] += t[i + s]; {fence} }}'
        ' if (!i) b[get_group_id(0)] = t[0];', LOCAL, ''),
    'reduction_without_last': (
        'local {type} t[64]; t[i] = a[g]; barrier(CLK_LOCAL_MEM_FENCE);'
        ' for (int s = 32; s > 1; s /= 2) {{ if (i < s) t[i] += t[i + s];'
        ' barrier(CLK_LOCAL_MEM_FENCE); }} if (!i) t[0] += t[1]; {fence}'
        ' b[g] = t[0];', LOCAL, ''),
    'scan': (
        'local {type} t[64]; t[i] = a[g]; barrier(CLK_LOCAL_MEM_FENCE);'
        ' for (int s = 1; s < 64; s *= 2) {{ {type} x = i >= s ? t[i - s] : 0;'
        ' {fence} t[i] += x; barrier(CLK_LOCAL_MEM_FENCE); }} b[g] = t[i];',
        LOCAL, ''),
    'transposition': (
        'local {type} t[64]; t[i] = a[g]; {fence} b[g] = t[i % 8 * 8 + i / 8];',
        LOCAL, ''),
    'flags_of_a_barrier': (
        'local {type} t[64]; t[i] = a[g]; barrier({fence}); b[g] = t[63 - i];',
        'CLK_LOCAL_MEM_FENCE', '0'),
    'fences_beside_barriers': (
        'local {type} t[64]; t[i] = a[g]; barrier(CLK_LOCAL_MEM_FENCE);'
        ' {type} x = t[63 - i]; {fence} barrier(0); t[i] = x; {fence} barrier(0);'
        ' b[g] = t[i ^ 1];', 'mem_fence(CLK_LOCAL_MEM_FENCE);', ''),
    'broadcast': (
        'local {type} t; if (i == 5) t = a[g] + 1; {fence} b[g] = t;', LOCAL, ''),
    'stencil': (
        'local {type} t[66]; t[i + 1] = a[g]; if (!i) t[0] = t[65] = 0; {fence}'
        ' b[g] = t[i] + t[i + 1] + t[i + 2];', LOCAL, ''),
    'pipeline': (
        'local {type} t[64]; {type} sum = 0; for (int k = 0; k < 4; k++) {{'
        ' t[i] = a[g] + k; barrier(CLK_LOCAL_MEM_FENCE);'
        ' sum += t[(i + k + 1) % 64]; {fence} }} b[g] = sum;', LOCAL, ''),
    'through_global': (
        'b[g] = a[g] + 1; {fence} a[g] = b[get_group_id(0) * 64 + 63 - i];',
        GLOBAL, LOCAL),
    'histogram': (
        'local int t[8]; if (i < 8) t[i] = 0; barrier(CLK_LOCAL_MEM_FENCE);'
        ' {fence} barrier(CLK_LOCAL_MEM_FENCE); if (i < 8) atomic_add(&b[i], t[i]);',
        'atomic_inc(&t[a[g] % 8]);', 't[a[g] % 8] += 1;'),
    'neighbour_group': (
        'b[g] = i; {fence}', 'a[g] += b[g];', 'a[g] += b[(g + 64) % N];'),
}

# A tree of one work-group; every work-item shortens its way to the root.
PATH = ('int v = get_local_id(0); a[v] = v / 2; barrier(CLK_GLOBAL_MEM_FENCE);'
        ' for (int x = v; x != {load_x};) {{ int up = {load_x};'
        ' int over = {load_up}; {store} x = {next}; }}')
FREE = {'load_x': 'LOAD(&a[x])', 'load_up': 'LOAD(&a[up])',
        'store': 'STORE(&a[x], over);', 'next': 'up'}
RACY = {'load_x': 'a[x]', 'load_up': 'a[up]', 'store': 'a[x] = over;',
        'next': 'up'}
HEAD += '''
#define LOAD(p) atomic_load_explicit((global atomic_int *)(p), memory_order_relaxed)
#define STORE(p, x) \\
    atomic_store_explicit((global atomic_int *)(p), x, memory_order_relaxed)
'''


def kernels():
    """(name, text, global size, local size, racy)"""
    for name, (body, *lines) in GRAPH.items():
        for walk, loop in WALKS.items():
            for racy, line in enumerate(lines):
                text = body.format(walk=loop, line=line, type='int')
                yield (f'{name}_{walk}_{"racy" if racy else "free"}',
                       f'int v = get_global_id(0); {text}', N, 32, racy)
    for name, (body, *fences) in GROUPS.items():
        for kind in ('int', 'uint'):
            for racy, fence in enumerate(fences):
                text = body.format(fence=fence, type=kind)
                yield (f'{name}_{kind}_{"racy" if racy else "free"}',
                       'int i = get_local_id(0), g = get_global_id(0);' + text,
                       N, 64, racy)
    for racy, words in enumerate((FREE, RACY)):
        yield (f'path_compression_{"racy" if racy else "free"}',
               PATH.format(**words), 64, 64, racy)


def findings(file, name, size, local, folder):
    out = Path(folder) / (name + '.json')
    done = subprocess.run(
        [VENTUS, 'run', '--device', DEVICE, '--check', '--check-json', str(out),
         '--', HOST, str(file), name, str(size), str(local), f'in:{2 * N}',
         f'in:{N}'], capture_output=True, text=True)
    if done.returncode not in (0, 1) or not out.exists():
        return f'{name}: exit status {done.returncode}\n{done.stderr}', set()
    found = {f['finding'] for f in json.loads(out.read_text())['list']}
    return done.stderr, found


def check(file, kernel, folder):
    name, _, size, local, racy = kernel
    said, found = findings(file, name, size, local, folder)
    if racy and 'race' in found or not racy and not found and 'exit' not in said:
        return None
    return f'{name}: {"no race" if racy else "findings"}: {sorted(found)}\n{said}'


def main():
    every = list(kernels())
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / 'patterns.cl'
        file.write_text(HEAD + ''.join(
            f'kernel void {name}(global int *a, global int *b) {{ {text} }}\n'
            for name, text, *_ in every))
        check(file, every[0], folder)  # compiles them
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            wrong = list(filter(None, pool.map(
                lambda kernel: check(file, kernel, folder), every)))
    racy = sum(kernel[4] for kernel in every)
    print('\n'.join(wrong))
    print(f'{racy} kernels with a race, {len(every) - racy} without; '
          f'{len(wrong)} wrong')
    sys.exit(bool(wrong))


if __name__ == '__main__':
    main()
