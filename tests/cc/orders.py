#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What each atomic, fence and volatile access of OpenCL C becomes, by order, scope
and address space: the table of docs/abi.md, "Memory order", line by line.

usage: orders.py VENTUS COMPILER"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ACQUIRES = {'acquire', 'acq_rel', 'seq_cst'}
RELEASES = {'release', 'acq_rel', 'seq_cst'}
WIDE = {'device', 'all_svm_devices'}
SCOPES = ['work_item', 'sub_group', 'work_group', 'device', 'all_svm_devices']
ORDERS = {'load': ['relaxed', 'acquire', 'seq_cst'],
          'store': ['relaxed', 'release', 'seq_cst'],
          'rmw': ['relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst']}
DRAIN = 'fence r, w'
RMW = {'fetch_add': 'amoadd', 'fetch_sub': 'amoadd', 'fetch_and': 'amoand',
       'fetch_or': 'amoor', 'fetch_xor': 'amoxor', 'fetch_min': 'amomin',
       'fetch_max': 'amomax', 'exchange': 'amoswap'}
UNSIGNED = {'amomin': 'amominu', 'amomax': 'amomaxu'}
FENCES = {'relaxed': [], 'acquire': ['fence r, rw'], 'release': ['fence rw, w'],
          'acq_rel': ['fence.tso'], 'seq_cst': ['fence rw, rw']}


def mark(op, aq, rl):
    return op + ('.aq' if aq else '') + ('.rl' if rl else '')


def marked(op, aq, rl):
    """As the printer has both."""
    return mark(op, aq, rl).replace('.aq.rl', '.aqrl')


def expected(kind, op, order, scope, space, wide=False):
    aq, rl = order in ACQUIRES, order in RELEASES
    # OpenCL C 3.0's functions take generic pointers, so of local memory, too.
    drains = scope not in WIDE and scope != 'work_item'
    plain_aq, plain_rl = aq and scope in WIDE, rl and scope in WIDE
    if kind == 'load':
        plain_rl = False
    if kind == 'store':
        plain_aq = False
    if wide:
        middle = ['amoswap.w', 'lr.w', mark('lr.w', plain_aq, False)]
        if kind != 'load':
            middle += 2 * [mark('amoswap.w', False, plain_rl)]
        middle += [DRAIN, 'amoswap.w']
    elif kind == 'load':
        middle = [mark('lr.w', plain_aq, False)]
        if space == 'local' and not plain_aq:
            middle = []
    elif kind == 'store':
        middle = [mark('amoswap.w', False, plain_rl)]
        if space == 'local' and not plain_rl:
            middle = []
    elif kind == 'exchange':
        middle = [mark('lr.w', plain_aq, False), mark('sc.w', False, plain_rl)]
    else:
        middle = [marked(op + '.w', plain_aq, plain_rl)]
    before = [DRAIN] if drains and rl else []
    after = [DRAIN] if drains and aq and kind != 'store' else []
    return before + middle + after


def cases():
    """(statement, parameters, expected instructions)"""
    for space in 'global', 'local':
        for scope in SCOPES:
            for t, wide in ('int', False), ('uint', False), ('ulong', True), \
                    ('float', False), ('double', True):
                p = f'volatile {space} atomic_{t} *p, {t} x, global {t} *o'
                for order in ORDERS['load']:
                    yield (f'*o = atomic_load_explicit(p, memory_order_{order}, '
                           f'memory_scope_{scope});', p,
                           expected('load', '', order, scope, space, wide))
                for order in ORDERS['store']:
                    yield (f'atomic_store_explicit(p, x, memory_order_{order}, '
                           f'memory_scope_{scope});', p,
                           expected('store', '', order, scope, space, wide))
                for order in ORDERS['rmw']:
                    names = RMW
                    if t in ('float', 'double'):
                        names = {'exchange': 'amoswap'}
                    elif wide:
                        names = {'exchange': 'amoswap', 'fetch_max': 'amomax'}
                    for name, op in names.items():
                        if t == 'uint':
                            op = UNSIGNED.get(op, op)
                        yield (f'*o = atomic_{name}_explicit(p, x, '
                               f'memory_order_{order}, memory_scope_{scope});', p,
                               expected('rmw', op, order, scope, space, wide))
                    fails = {'release': 'relaxed', 'acq_rel': 'acquire'}
                    yield (f'{t} e = 1; *o = atomic_compare_exchange_strong_explicit('
                           f'p, &e, x, memory_order_{order}, memory_order_'
                           f'{fails.get(order, order)}, memory_scope_{scope});', p,
                           expected('exchange', '', order, scope, space, wide))
        p = f'volatile {space} atomic_int *p, int x, global int *o'
        for call, kind, op in (('*o = atomic_load(p);', 'load', ''),
                               ('atomic_store(p, x);', 'store', ''),
                               ('*o = atomic_fetch_add(p, x);', 'rmw', 'amoadd')):
            yield call, p, expected(kind, op, 'seq_cst', 'device', space)
        p = f'volatile {space} atomic_flag *p, global int *o'
        yield ('*o = atomic_flag_test_and_set(p);', p,
               expected('rmw', 'amoswap', 'seq_cst', 'device', space))
        yield ('atomic_flag_clear_explicit(p, memory_order_release);', p,
               expected('store', '', 'release', 'device', space))
        for t in 'int', 'uint', 'float':
            p = f'volatile {space} {t} *p, {t} x, global {t} *o'
            yield '*o = atomic_xchg(p, x);', p, ['amoswap.w']
            if t == 'float':
                continue
            u = 'u' if t == 'uint' else ''
            for prefix in 'atomic', 'atom':
                yield f'*o = {prefix}_add(p, x);', p, ['amoadd.w']
                yield f'*o = {prefix}_inc(p);', p, ['amoadd.w']
                yield f'*o = {prefix}_dec(p);', p, ['amoadd.w']
                yield f'*o = {prefix}_max(p, x);', p, [f'amomax{u}.w']
                yield f'*o = {prefix}_cmpxchg(p, x, 5);', p, ['lr.w', 'sc.w']
    # Fences.
    for scope in SCOPES:
        for order, fence in FENCES.items():
            for flags in 'GLOBAL', 'IMAGE', 'LOCAL':
                want = fence
                if order == 'relaxed' or scope == 'work_item':
                    want = []
                elif flags == 'LOCAL' or scope not in WIDE:
                    want = [DRAIN]
                yield (f'p[0] = 1; atomic_work_item_fence(CLK_{flags}_MEM_FENCE, '
                       f'memory_order_{order}, memory_scope_{scope}); p[1] = 2;',
                       'global int *p', want)
    for name, fence in (('read_mem_fence', 'fence r, rw'), ('mem_fence', 'fence.tso'),
                        ('write_mem_fence', 'fence rw, w')):
        yield f'{name}(CLK_GLOBAL_MEM_FENCE);', 'global int *p', [fence]
        yield f'{name}(CLK_LOCAL_MEM_FENCE);', 'global int *p', [DRAIN]
    # Volatile accesses.
    for t, words in ('int', 1), ('char', 0), ('ushort', 0), ('float4', 4), ('long', 2):
        yield ('*o = *p;', f'volatile global {t} *p, global {t} *o',
               words * ['lr.w'] or ['fence r, r'])
        yield ('*p = *o;', f'volatile global {t} *p, global {t} *o',
               words * ['amoswap.w'] or ['fence w, w'])
        yield '*o = *p;', f'volatile local {t} *p, global {t} *o', []


def found(text):
    """The instructions of each kernel that have an order, or are atomics."""
    kernels, now = {}, None
    for line in text.splitlines():
        label = re.match(r'(?:[0-9a-f]+ )?<?(k\d+)>?:', line)
        if label:
            now = kernels.setdefault(label[1], [])
        op = re.search(r'\*/\s+((?:amo\w+|lr|sc)\.w\S*|fence\.tso|fence *[rw, ]*)',
                       line)
        if op and now is not None:
            now.append(' '.join(op[1].split()))
    return kernels


def main():
    ventus, compiler = sys.argv[1:]
    table = list(cases())
    source = ('#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n'
              # a feature that devices without SVM do not have
              '#define memory_scope_all_svm_devices (memory_scope)3\n')
    for i, (body, parameters, _) in enumerate(table):
        source += f'kernel void k{i}({parameters}) {{ {body} }}\n'
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'k.cl'
        path.write_text(source)
        subprocess.run([compiler, '-cl-std=CL3.0', '-o', f'{folder}/k.o', path],
                       check=True)
        text = subprocess.run([ventus, 'dis', f'{folder}/k.o'], check=True,
                              capture_output=True, text=True).stdout
    got = found(text)
    wrong = 0
    for i, (body, parameters, want) in enumerate(table):
        if got.get(f'k{i}') != want:
            wrong += 1
            print(f'{parameters}: {body}\n  {got.get(f"k{i}")}\n  expected {want}')
    print(f'{len(table)} accesses and fences, {wrong} wrong')
    return wrong != 0


if __name__ == '__main__':
    sys.exit(main())
