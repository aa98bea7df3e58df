#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every built-in function of OpenCL C 1.2, at every width, must compile;
so must what 3.0 has without optional features.

    builtins.py [--quick] VENTUS_CC OUT [GROUP...]

--quick: scalars and vectors of 3 only.

A kernel for each function and type calls it on values from memory.  The front
end itself refuses what is left undefined; this script adds that no intrinsic
of LLVM is left that the code generator does not know (intrinsics.h).
"""
import re
import subprocess
import sys
from pathlib import Path

SIGNED = ['char', 'short', 'int', 'long']
UNSIGNED = ['uchar', 'ushort', 'uint', 'ulong']
INTEGERS = SIGNED + UNSIGNED
FLOATS = ['float', 'double', 'half']
SCALARS = INTEGERS + FLOATS
WIDTHS = ['', '2', '3', '4', '8', '16']
VECTORS = WIDTHS[1:]
SPACES = ['global', 'local', 'private']
SAME_SIZE = {'float': ('int', 'uint'), 'double': ('long', 'ulong'),
             'half': ('short', 'ushort')}

MATH_1 = '''acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt ceil cos
cosh cospi erfc erf exp exp2 exp10 expm1 fabs floor lgamma log log2 log10 log1p
logb rint round rsqrt sin sinh sinpi sqrt tan tanh tanpi tgamma trunc'''.split()
MATH_2 = '''atan2 atan2pi copysign fdim fmax fmin fmod hypot maxmag minmag
nextafter pow powr remainder'''.split()
FAST_1 = 'cos exp exp2 exp10 log log2 log10 recip rsqrt sin sqrt tan'.split()
COMMON = '''degrees:1 radians:1 sign:1 clamp:3 max:2 min:2 mix:3 step:2
smoothstep:3'''.split()
INTEGER_1 = 'clz popcount'.split()
INTEGER_2 = '''add_sat hadd rhadd max min mul_hi rotate sub_sat'''.split()
INTEGER_3 = 'clamp mad_hi mad_sat'.split()
RELATIONAL_1 = 'isfinite isinf isnan isnormal signbit'.split()
RELATIONAL_2 = '''isequal isnotequal isgreater isgreaterequal isless
islessequal islessgreater isordered isunordered'''.split()


class Source:
    """Kernels, by group; each reads arguments and writes a result."""

    def __init__(self):
        self.groups = {}
        self.count = 0

    def raw(self, group, params, body):
        self.count += 1
        self.groups.setdefault(group, []).append(
            f'kernel void k{self.count}({params}) {{ {body} }}\n')

    def call(self, group, name, result, types):
        """o[i] = name(a[i], b[i], ...)"""
        names = 'abcde'[:len(types)]
        params = ', '.join([f'global {result} *o'] + [
            f'global const {t} *{n}' for t, n in zip(types, names)])
        args = ', '.join(f'{n}[i]' for n in names)
        self.raw(group, params,
                 f'size_t i = get_global_id(0); o[i] = {name}({args});')


def add_math(s):
    for base in FLOATS:
        for w in WIDTHS:
            t, n = base + w, 'int' + w
            for name in MATH_1:
                s.call('math', name, t, [t])
            for name in MATH_2:
                s.call('math', name, t, [t, t])
            for name in 'fma', 'mad':
                s.call('math', name, t, [t, t, t])
            s.call('math', 'ilogb', n, [t])
            for name in 'ldexp', 'pown', 'rootn':
                s.call('math', name, t, [t, n])
            s.call('math', 'nan', t, [SAME_SIZE[base][1] + w])
            if w:
                s.call('math', 'ldexp', t, [t, 'int'])
                for name in 'fmin', 'fmax':
                    s.call('math', name, t, [t, base])
            for space in SPACES:
                add_math_pointers(s, t, n, space)


def add_math_pointers(s, t, n, space):
    """Functions with a second result through a pointer."""
    cases = [('fract', t, ''), ('modf', t, ''), ('sincos', t, ''),
             ('frexp', n, ''), ('lgamma_r', n, ''), ('remquo', n, 'a[2], ')]
    for name, to, extra in cases:
        if space == 'private':
            params = f'global {t} *a, global {to} *p'
            body = f'{to} x; a[0] = {name}(a[1], {extra}&x); p[0] = x;'
        else:
            params = f'global {t} *a, {space} {to} *p'
            body = f'a[0] = {name}(a[1], {extra}p);'
        s.raw('math', params, body)


def add_fast(s):
    for w in WIDTHS:
        t = 'float' + w
        for prefix in 'native_', 'half_':
            for name in FAST_1:
                s.call('fast', prefix + name, t, [t])
            for name in 'divide', 'powr':
                s.call('fast', prefix + name, t, [t, t])


def add_common(s):
    for base in FLOATS:
        for w in WIDTHS:
            t = base + w
            for entry in COMMON:
                name, n = entry.split(':')
                s.call('common', name, t, [t] * int(n))
            if w:
                for name in 'max', 'min':
                    s.call('common', name, t, [t, base])
                s.call('common', 'clamp', t, [t, base, base])
                s.call('common', 'mix', t, [t, t, base])
                s.call('common', 'step', t, [base, t])
                s.call('common', 'smoothstep', t, [base, base, t])
        for w in '', '2', '3', '4':
            t = base + w
            for name in 'dot', 'distance':
                s.call('common', name, base, [t, t])
            s.call('common', 'length', base, [t])
            s.call('common', 'normalize', t, [t])
            if base == 'float':
                for name in 'fast_length',:
                    s.call('common', name, base, [t])
                s.call('common', 'fast_distance', base, [t, t])
                s.call('common', 'fast_normalize', t, [t])
        for w in '3', '4':
            s.call('common', 'cross', base + w, [base + w] * 2)


def add_integer(s):
    for base in INTEGERS:
        unsigned = base if base in UNSIGNED else 'u' + base
        for w in WIDTHS:
            t = base + w
            s.call('integer', 'abs', unsigned + w, [t])
            s.call('integer', 'abs_diff', unsigned + w, [t, t])
            for name in INTEGER_1:
                s.call('integer', name, t, [t])
            for name in INTEGER_2:
                s.call('integer', name, t, [t, t])
            for name in INTEGER_3:
                s.call('integer', name, t, [t, t, t])
            signed = base.lstrip('u')
            s.call('integer', 'bit_reverse', t, [t])
            s.call('integer', 'bitfield_insert', t, [t, t, 'uint', 'uint'])
            s.call('integer', 'bitfield_extract_signed', signed + w,
                   [t, 'uint', 'uint'])
            s.call('integer', 'bitfield_extract_unsigned', 'u' + signed + w,
                   [t, 'uint', 'uint'])
            if w:
                for name in 'max', 'min':
                    s.call('integer', name, t, [t, base])
                s.call('integer', 'clamp', t, [t, base, base])
            if base in ('int', 'uint'):
                s.call('integer', 'mul24', t, [t, t])
                s.call('integer', 'mad24', t, [t, t, t])
    for low, high in zip(SIGNED[:-1], SIGNED[1:]):
        for w in WIDTHS:
            s.call('integer', 'upsample', high + w, [low + w, 'u' + low + w])
            s.call('integer', 'upsample', 'u' + high + w, ['u' + low + w] * 2)


def add_relational(s):
    for base in FLOATS:
        for w in WIDTHS:
            t = base + w
            result = SAME_SIZE[base][0] + w if w else 'int'
            for name in RELATIONAL_1:
                s.call('relational', name, result, [t])
            for name in RELATIONAL_2:
                s.call('relational', name, result, [t, t])
    for base in SIGNED:
        for w in WIDTHS:
            s.call('relational', 'any', 'int', [base + w])
            s.call('relational', 'all', 'int', [base + w])
    size = {'char': 'char', 'short': 'short', 'int': 'int', 'float': 'int',
            'long': 'long', 'double': 'long', 'half': 'short'}
    for base in SCALARS:
        like = size[base[1:] if base in UNSIGNED else base]
        for w in WIDTHS:
            t = base + w
            s.call('relational', 'bitselect', t, [t, t, t])
            for mask in like, 'u' + like:
                s.call('relational', 'select', t, [t, t, mask + w])


def add_vectors(s):
    for base in SCALARS:
        for w in VECTORS:
            for space in SPACES + ['constant']:
                if space == 'private':
                    s.raw('vectors', f'global {base} *o',
                          f'{base} p[64]; for (int i = 0; i < 64; i++) '
                          f'p[i] = o[i]; vstore{w}(vload{w}(o[0] > 0, p), 1, '
                          'p); for (int i = 0; i < 64; i++) o[i] = p[i];')
                    continue
                store = '' if space == 'constant' else \
                    f'vstore{w}(o[0], 1, p);'
                const = 'const ' if space == 'constant' else ''
                s.raw('vectors', f'global {base}{w} *o, {const}{space} '
                      f'{base} *p', f'o[0] = vload{w}(1, p); {store}')
    unsigned = {'char': 'uchar', 'short': 'ushort', 'int': 'uint',
                'long': 'ulong', 'float': 'uint', 'double': 'ulong',
                'half': 'ushort'}
    for base in SCALARS:
        mask = unsigned.get(base, base)
        for m in '2', '4', '8', '16':
            for n in '2', '4', '8', '16':
                s.call('vectors', 'shuffle', base + n, [base + m, mask + n])
                s.call('vectors', 'shuffle2', base + n,
                       [base + m, base + m, mask + n])
    for w in WIDTHS:
        add_half(s, w)


def add_half(s, w):
    for base in 'float', 'double':
        for space in 'global', 'local':
            for mode in '', '_rte', '_rtz', '_rtp', '_rtn':
                for a in ('', 'a') if w else ('',):
                    s.raw('half', f'{space} half *p, global {base}{w} *o',
                          f'vstore{a}_half{w}{mode}(o[0], 1, p);')
    for space in ['global', 'local', 'constant']:
        for a in ('', 'a') if w else ('',):
            s.raw('half', f'const {space} half *p, global float{w} *o',
                  f'o[0] = vload{a}_half{w}(1, p);')


def add_convert(s):
    for w in WIDTHS if '2' in WIDTHS else ['']:
        for to in SCALARS:
            for base in SCALARS:
                modes = ['', '_rte', '_rtz', '_rtp', '_rtn']
                if to in INTEGERS:
                    modes += ['_sat' + m for m in modes]
                for mode in modes:
                    s.call('convert', f'convert_{to}{w}{mode}', to + w,
                           [base + w])


def add_atomic(s):
    for base in 'int', 'uint':
        for space in 'global', 'local':
            p = f'volatile {space} {base} *p, global {base} *o'
            for prefix in 'atomic_', 'atom_':
                for name in 'add sub xchg min max and or xor'.split():
                    s.raw('atomic', p, f'o[0] = {prefix}{name}(p, o[1]);')
                for name in 'inc', 'dec':
                    s.raw('atomic', p, f'o[0] = {prefix}{name}(p);')
                s.raw('atomic', p, f'o[0] = {prefix}cmpxchg(p, o[1], o[2]);')
    for base in 'long', 'ulong':
        for space in 'global', 'local':
            p = f'volatile {space} {base} *p, global {base} *o'
            for name in 'add sub xchg min max and or xor'.split():
                s.raw('atomic', p, f'o[0] = atom_{name}(p, o[1]);')
            for name in 'inc', 'dec':
                s.raw('atomic', p, f'o[0] = atom_{name}(p);')
            s.raw('atomic', p, 'o[0] = atom_cmpxchg(p, o[1], o[2]);')
    for space in 'global', 'local':
        s.raw('atomic', f'volatile {space} float *p, global float *o',
              'o[0] = atomic_xchg(p, o[1]);')


def add_c11(s):
    """Of OpenCL C 3.0; objects in both spaces."""
    orders = ['', ', memory_order_relaxed',
              ', memory_order_acq_rel, memory_scope_device']
    for base in 'int', 'uint', 'float', 'long', 'ulong', 'double':
        for space in 'global', 'local':
            p = f'volatile {space} atomic_{base} *p, global {base} *o'
            s.raw('c11', p, 'atomic_init(p, o[0]);')
            for order in orders:
                ex = '_explicit' if order else ''
                # Loads do not release, stores do not acquire.
                load, store = (order.replace('acq_rel', kind)
                               for kind in ('acquire', 'release'))
                s.raw('c11', p, f'o[0] = atomic_load{ex}(p{load});'
                      f'atomic_store{ex}(p, o[1]{store});'
                      f'o[2] = atomic_exchange{ex}(p, o[3]{order});')
                if base in FLOATS:
                    continue
                for name in 'add sub or xor and min max'.split():
                    s.raw('c11', p,
                          f'o[0] = atomic_fetch_{name}{ex}(p, o[1]{order});')
                fail = load.replace(', memory_scope_device', '')
                both = order.replace(', memory_scope',
                                     f'{fail}, memory_scope')
                if order == orders[1]:
                    both = order + order
                for name in 'strong', 'weak':
                    s.raw('c11', p, f'{base} e = o[1]; o[0] = '
                          f'atomic_compare_exchange_{name}{ex}'
                          f'(p, &e, o[2]{both}); o[3] = e;')
    for space in 'global', 'local':
        p = f'volatile {space} atomic_flag *p, global int *o'
        s.raw('c11', p, 'o[0] = atomic_flag_test_and_set(p);'
              'atomic_flag_clear(p);')
    for name in 'get_enqueued_local_size(0)', 'get_global_linear_id()', \
            'get_local_linear_id()':
        s.raw('c11', 'global uint *o', f'o[0] = {name};')
    s.raw('c11', 'global uint *o', 'o[0] = 1; '
          'work_group_barrier(CLK_LOCAL_MEM_FENCE); o[1] = o[2]; '
          'work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);'
          'atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel,'
          'memory_scope_device); o[2] = o[3];')


def add_copies(s):
    for base in SCALARS:
        for w in WIDTHS:
            t = base + w
            s.raw('copies', f'global {t} *g, local {t} *l, uint n',
                  'event_t e[2]; prefetch(g, n);'
                  'e[0] = async_work_group_copy(l, g, n, 0);'
                  'e[1] = async_work_group_strided_copy(l + n, g, n, 2, 0);'
                  'wait_group_events(2, e); l[0] = l[n];'
                  'e[0] = async_work_group_copy(g, l, n, 0);'
                  'async_work_group_strided_copy(g, l, n, 2, e[0]);'
                  'wait_group_events(1, e);')


def add_collective(s):
    """Of halves; the functions of other types: tests/cc/collective.cl."""
    for name in 'reduce', 'scan_inclusive', 'scan_exclusive':
        for op in 'add', 'min', 'max':
            s.call('c11', f'work_group_{name}_{op}', 'half', ['half'])
    s.raw('c11', 'global half *o, uint n', 'o[0] = work_group_broadcast(o[1], '
          'n) + work_group_broadcast(o[2], n, n) + '
          'work_group_broadcast(o[3], n, n, n);')


def add_images(s):
    """Halves of images; the rest: tests/cl/image_kernel.c."""
    for shape, n in (('1d', ''), ('1d_buffer', ''), ('1d_array', '2'),
                     ('2d', '2'), ('2d_array', '4'), ('3d', '4')):
        at = f'int{n} at, global half4 *o'
        s.raw('images', f'read_only image{shape}_t i, {at}',
              'o[0] = read_imageh(i, at);')
        s.raw('images', f'write_only image{shape}_t i, {at}',
              'write_imageh(i, at, o[0]);')
        if shape != '1d_buffer':
            s.raw('images', f'read_only image{shape}_t i, sampler_t s, '
                  f'float{n} f, {at}',
                  'o[0] = read_imageh(i, s, at) + read_imageh(i, s, f);')


def add_items(s):
    for name in '''get_global_size get_global_id get_local_size get_local_id
            get_num_groups get_group_id get_global_offset'''.split():
        for d in '0', '1', '2', '3', 'o[0]':
            s.raw('items', 'global uint *o', f'o[1] = {name}({d});')
    s.raw('items', 'global uint *o', 'o[0] = get_work_dim();')
    for name in 'barrier mem_fence read_mem_fence write_mem_fence'.split():
        for flags in 'CLK_LOCAL_MEM_FENCE', 'CLK_GLOBAL_MEM_FENCE', \
                'CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE':
            s.raw('items', 'global uint *o',
                  f'o[0] = 1; {name}({flags}); o[1] = o[2];')


def read_known(header):
    """The names of LLVM's intrinsics in the comment of intrinsics.h."""
    text = header.read_text(encoding='utf-8')
    comment = text.split("LLVM's own intrinsics", 1)[1].split('*/')[0]
    names = set()
    for line in comment.splitlines():
        match = re.match(r' \*   +(?:integer|float|memory|ignored)?\s*(.*)',
                         line)
        if match:
            names.update(re.findall(r'[\w.]+', match[1]))
    for sign in 'u', 's':
        for op in 'add', 'sub', 'mul':
            names.add(f'{sign}{op}.with.overflow')
            names.add(f'{sign}{op}.sat')
    return names


def check(text, known):
    errors = []
    for name in sorted(set(re.findall(r'@llvm\.([\w.]+)', text))):
        plain = re.sub(r'\.(?:p\d+\.)?(?:p\d+|v\d+\w+|[if]\d+)(?:\.\w+)*$',
                       '', name)
        if plain.split('.')[0] not in ('dbg', 'lifetime', 'assume') and \
                known and plain not in known:
            errors.append(f'intrinsic llvm.{name} is not known')
    return errors


def main():
    args = sys.argv[1:]
    if args[0] == '--quick':
        args = args[1:]
        WIDTHS[:] = ['', '3']
        VECTORS[:] = WIDTHS[1:]
    cc, out = args[0], Path(args[1])
    root = Path(__file__).parents[3]
    header = root / 'src/cc/front/intrinsics.h'
    known = read_known(header) if header.exists() else set()
    s = Source()
    for add in (add_math, add_fast, add_common, add_integer, add_relational,
                add_vectors, add_convert, add_atomic, add_c11, add_copies,
                add_items, add_collective, add_images):
        add(s)
    # Pointers are generic in 2.0.
    for group in 'half', 'math', 'vectors':
        s.groups[group + '20'] = s.groups[group]
    wanted = args[2:] or sorted(s.groups)
    failed = 0
    out.mkdir(parents=True, exist_ok=True)
    for group in wanted:
        path = out / f'{group}.cl'
        path.write_text('#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n' +
                        ''.join(s.groups[group]), encoding='utf-8')
        std = '-cl-std=CL' + ('3.0' if group == 'c11' else
                              '2.0' if group.endswith('20') else '1.2')
        done = subprocess.run(
            [cc, '--emit', 'll', '-O1', std, '-o', path.with_suffix('.ll'),
             path], capture_output=True, text=True, check=False)
        errors = done.stderr.splitlines()[:20] if done.returncode else []
        if not done.returncode:
            errors = check(path.with_suffix('.ll').read_text(), known)
        failed += bool(errors)
        print(f'{group}: {len(s.groups[group])} kernels, '
              f'{len(errors)} errors')
        for error in errors:
            print(f'    {error}')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
