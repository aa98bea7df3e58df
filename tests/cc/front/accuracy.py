#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Accuracy of the mathematical functions, against the C library.

    accuracy.py VENTUS_CC CLANG CC ROOT OUT POINTS [WIDTH LIBVENTUS]

Each function runs on corner cases and on random numbers, compiled for this
machine; the reference is the C library in the next larger format, the limits
are those of the OpenCL specification (7.4), in ulp.  With a width and the
archive of our library they run on the simulated device, as vectors.
"""
import sys
from pathlib import Path

import host

# name: parameters (f float, i int), limit in ulp for float and for double
# (None: not tested), reference, range of random arguments.
PI = 'PI'
FUNCTIONS = [
    ('acos', 'f', 4, 4, 'F(acos)(x)', 1), ('asin', 'f', 4, 4, 'F(asin)(x)', 1),
    ('acospi', 'f', 5, 5, 'F(acos)(x) / PI', 1),
    ('asinpi', 'f', 5, 5, 'F(asin)(x) / PI', 1),
    ('atan', 'f', 5, 5, 'F(atan)(x)', 0),
    ('atanpi', 'f', 5, 5, 'F(atan)(x) / PI', 0),
    ('atan2', 'ff', 6, 6, 'F(atan2)(x, y)', 0),
    ('atan2pi', 'ff', 6, 6, 'F(atan2)(x, y) / PI', 0),
    ('acosh', 'f', 4, 4, 'F(acosh)(x)', 0),
    ('asinh', 'f', 4, 4, 'F(asinh)(x)', 0),
    ('atanh', 'f', 5, 5, 'F(atanh)(x)', 1),
    ('cbrt', 'f', 2, 2, 'F(cbrt)(x)', 0), ('ceil', 'f', 0, 0, 'F(ceil)(x)', 0),
    ('cos', 'f', 4, 4, 'F(cos)(x)', 0), ('cosh', 'f', 4, 4, 'F(cosh)(x)', 90),
    ('cospi', 'f', 4, 4, 'cos_pi(x)', 100),
    ('copysign', 'ff', 0, 0, 'F(copysign)(x, y)', 0),
    ('erf', 'f', 16, 16, 'F(erf)(x)', 10),
    ('erfc', 'f', 16, 16, 'F(erfc)(x)', 10),
    ('exp', 'f', 3, 3, 'F(exp)(x)', 90), ('exp2', 'f', 3, 3, 'F(exp2)(x)', 128),
    ('exp10', 'f', 3, 3, 'F(pow)(10, x)', 38),
    ('expm1', 'f', 3, 3, 'F(expm1)(x)', 90),
    ('fabs', 'f', 0, 0, 'F(fabs)(x)', 0), ('fdim', 'ff', .5, .5, 'F(fdim)(x, y)', 0),
    ('floor', 'f', 0, 0, 'F(floor)(x)', 0),
    ('fmax', 'ff', 0, 0, 'F(fmax)(x, y)', 0),
    ('fmin', 'ff', 0, 0, 'F(fmin)(x, y)', 0),
    ('fmod', 'ff', 0, 0, 'F(fmod)(x, y)', 0),
    ('hypot', 'ff', 4, 4, 'F(hypot)(x, y)', 0),
    ('ldexp', 'fi', .5, .5, 'F(ldexp)(x, n)', 0),
    ('log', 'f', 3, 3, 'F(log)(x)', 0), ('log2', 'f', 3, 3, 'F(log2)(x)', 0),
    ('log10', 'f', 3, 3, 'F(log10)(x)', 0),
    ('log1p', 'f', 2, 2, 'F(log1p)(x)', 0),
    ('logb', 'f', 0, 0, 'F(logb)(x)', 0),
    ('pow', 'ff', 16, 16, 'any_power(x, y)', 0),
    ('pown', 'fi', 16, 16, 'F(pow)(x, n)', 0),
    ('powr', 'ff', 16, 16, 'power(x, y)', 0),
    ('remainder', 'ff', 0, 0, 'F(remainder)(x, y)', 0),
    ('rint', 'f', 0, 0, 'F(rint)(x)', 0),
    ('rootn', 'fi', 16, 16, 'root(x, n)', 0),
    ('round', 'f', 0, 0, 'F(round)(x)', 0),
    ('rsqrt', 'f', 2, 2, '1 / F(sqrt)(x)', 0),
    ('sin', 'f', 4, 4, 'F(sin)(x)', 0), ('sinh', 'f', 4, 4, 'F(sinh)(x)', 90),
    ('sinpi', 'f', 4, 4, 'sin_pi(x)', 100),
    ('sqrt', 'f', 3, .5, 'F(sqrt)(x)', 0),
    ('tan', 'f', 5, 5, 'F(tan)(x)', 0), ('tanh', 'f', 5, 5, 'F(tanh)(x)', 10),
    ('tanpi', 'f', 6, 6, 'sin_pi(x) / cos_pi(x)', 100),
    ('tgamma', 'f', 16, 16, 'F(tgamma)(x)', 45),
    ('trunc', 'f', 0, 0, 'F(trunc)(x)', 0),
    ('nextafter', 'ff', 0, 0, 'N(nextafter)(x, y)', 0),
    ('remquo_rest', 'ff', 0, 0, 'F(remainder)(x, y)', 0),
    ('remquo_bits', 'ff', 0, 0, 'quotient(x, y)', 0),
    ('fract_rest', 'f', .5, .5, 'fraction(x)', 0),
    ('fract_floor', 'f', 0, 0, 'F(floor)(x)', 0),
    ('modf_rest', 'f', 0, 0, 'isinf(x) ? F(copysign)(0, x) : F(modf)(x, &whole)', 0),
    ('modf_whole', 'f', 0, 0, 'F(trunc)(x)', 0),
    ('frexp_rest', 'f', 0, 0, 'F(frexp)(x, &n)', 0),
    ('frexp_bits', 'f', 0, 0, 'exponent(x)', 0),
    ('sincos_rest', 'f', 4, 4, 'F(sin)(x)', 0),
    ('sincos_second', 'f', 4, 4, 'F(cos)(x)', 0),
    ('half_exp', 'f', 8192, None, 'F(exp)(x)', 80),
    ('half_exp2', 'f', 8192, None, 'F(exp2)(x)', 100),
    ('half_exp10', 'f', 8192, None, 'F(pow)(10, x)', 30),
    ('half_sin', 'f', 8192, None, 'F(sin)(x)', 60000),
    ('half_log', 'f', 8192, None, 'F(log)(x)', 0),
    ('half_cos', 'f', 8192, None, 'F(cos)(x)', 60000),
    ('half_tan', 'f', 8192, None, 'F(tan)(x)', 60000),
    ('half_log2', 'f', 8192, None, 'F(log2)(x)', 0),
    ('half_log10', 'f', 8192, None, 'F(log10)(x)', 0),
    ('half_powr', 'ff', 8192, None, 'power(x, y)', 20),
    ('half_divide', 'ff', 8192, None, 'x / y', 20),
    ('half_recip', 'f', 8192, None, '1 / x', 20),
    ('half_sqrt', 'f', 8192, None, 'F(sqrt)(x)', 0),
    ('half_rsqrt', 'f', 8192, None, '1 / F(sqrt)(x)', 0),
]

# Native functions: the largest error, relative to 1 or to the result.
NATIVE = [
    ('native_sin', 'F(sin)(x)', -100, 100, 2e-6),
    ('native_cos', 'F(cos)(x)', -100, 100, 2e-6),
    ('native_tan', 'F(tan)(x)', -1.5, 1.5, 4e-6),
    ('native_exp', 'F(exp)(x)', -80, 80, 2e-6),
    ('native_exp2', 'F(exp2)(x)', -100, 100, 2e-5),
    ('native_exp10', 'F(pow)(10, x)', -30, 30, 2e-5),
    ('native_log', 'F(log)(x)', 1e-30, 1e30, 1e-6),
    ('native_log', 'F(log)(x)', 1e-44, 1e-38, 1e-6),
    ('native_log2', 'F(log2)(x)', .5, 1.9, 1e-6),
    ('native_log10', 'F(log10)(x)', 1e-5, 10, 1e-6),
    ('native_sqrt', 'F(sqrt)(x)', 0, 1e30, 1e-6),
    ('native_rsqrt', '1 / F(sqrt)(x)', 1e-30, 1e30, 1e-6),
    ('native_recip', '1 / x', 1e-30, 1e30, 1e-6),
]
# Functions of two results as two functions, for accuracy.cl.
SPLIT = '''
#define OVERLOAD static __attribute__((overloadable))
#define SPLIT_1(T, F, A, RESULT, B, TYPE) \\
OVERLOAD T F##_##A(T x) { TYPE second; return F(x, &second); } \\
OVERLOAD T F##_##B(T x) { TYPE second; F(x, &second); return RESULT; }
#define SPLIT(T) \\
SPLIT_1(T, fract, rest, second, floor, T) \\
SPLIT_1(T, modf, rest, second, whole, T) \\
SPLIT_1(T, sincos, rest, second, second, T) \\
SPLIT_1(T, frexp, rest, isfinite(x) ? second : 0, bits, int) \\
OVERLOAD T remquo_rest(T x, T y) { int q; return remquo(x, y, &q); } \\
OVERLOAD T remquo_bits(T x, T y) \\
{ int q; remquo(x, y, &q); return q < 0 ? -(-q & 127) : q & 127; }
SPLIT(float)
SPLIT(double)
'''
SPLIT_UP = 'fract', 'modf', 'sincos', 'frexp', 'remquo'
KINDS = [('float', 'f32', 2), ('double', 'f64', 3)]


def is_there(f, limit, width):
    """The two results of a function are taken apart for numbers only."""
    return f[limit] is not None and \
        (width == 1 or f[0].rpartition('_')[0] not in SPLIT_UP)


def statement(name, form, width):
    if width == 0:  # one work-item does it all
        call = {'f': 'x[i]', 'ff': 'x[i], y[i]', 'fi': 'x[i], n[i]'}[form]
        return f'for (int i = 0; i < count; i++) o[i] = {name}({call});'
    load, store = f'vload{width}(i, %s)', f'vstore{width}(%s, i, o);'
    if width == 1:
        load, store = '%s[i]', 'o[i] = %s;'
    call = ', '.join(load % a for a in {'f': 'x', 'ff': 'xy', 'fi': 'xn'}[form])
    return f'int i = get_global_id(0); if (i < count / {width}) ' + \
        store % f'{name}({call})'


def kernels(width):
    """OpenCL C: each function over an array."""
    yield SPLIT
    rows = [(f, kind) for kind in KINDS for f in FUNCTIONS
            if is_there(f, kind[2], max(width, 1))]
    rows += [((f[0], 'f'), KINDS[0])
             for f in {f[0]: f for f in NATIVE}.values()]
    for f, (ctype, suffix, _) in rows:
        yield (f'kernel void {f[0]}_{suffix}(global {ctype} *o, global const '
               f'{ctype} *x, global const {ctype} *y, global const int *n, '
               f'int count) {{ {statement(f[0], f[1], width)} }}\n')


def table(suffix, limit, width):
    """C: references and the rows of the driver's table."""
    found = [f for f in FUNCTIONS if is_there(f, limit, max(width, 1))]
    for f in found:
        yield (f'KERNEL({f[0]}_{suffix})\n'
               f'static real ref_{f[0]}_{suffix}(real x, real y, int n)\n'
               f'{{ (void)y, (void)n; return {f[4]}; }}\n')
    yield f'static const struct row rows_{suffix}[] = {{\n'
    for f in found:
        yield (f'{{ "{f[0]}", {f[0]}_{suffix}, ref_{f[0]}_{suffix}, '
               f'{f[limit]}, {f[5]} }},\n')
    yield '};\n'


def native_table():
    for f in {f[0]: f for f in NATIVE}.values():
        yield (f'KERNEL({f[0]}_f32)\n'
               f'static real ref_{f[0]}(real x, real y, int n)\n'
               f'{{ (void)y, (void)n; return {f[1]}; }}\n')
    yield 'static const struct native natives[] = {\n'
    for f in NATIVE:
        yield (f'{{ "{f[0]}", {f[0]}_f32, ref_{f[0]}, {f[2]}, {f[3]}, '
               f'{f[4]} }},\n')
    yield '};\n'


def main():
    cc, clang, host_cc, root, out, points = sys.argv[1:7]
    width = int(sys.argv[7]) if len(sys.argv) > 7 else 0
    out, root = Path(out), Path(root)
    out.mkdir(parents=True, exist_ok=True)
    (out / 'accuracy.cl').write_text(''.join(kernels(width)), encoding='utf-8')
    (out / 'accuracy_f32.inc').write_text(
        ''.join(table('f32', 2, width)) + ''.join(native_table()), encoding='utf-8')
    (out / 'accuracy_f64.inc').write_text(''.join(table('f64', 3, width)),
                                      encoding='utf-8')
    here = root / 'tests/cc/front'
    if width:
        elf = out / 'kernels.elf'
        host.run([cc, '-w', '-o', elf, out / 'accuracy.cl'])
        flags = [f'-DDEVICE="{elf}"', f'-DWIDTH={width}', f'-I{root}/include']
        more = [here / 'on_device.c', sys.argv[8], '-linih', '-lzstd', '-lpthread']
    else:
        host.compile_kernels(cc, clang, out / 'accuracy.cl', out / 'kernels.o')
        flags, more = [], [out / 'kernels.o']
    for bits in 32, 64:
        host.build(host_cc, [here / 'accuracy.c', *more],
                   out / f'math{bits}', [f'-DBITS={bits}', f'-I{out}', *flags])
    failed = [bits for bits in (32, 64) if host.subprocess.run(
        [str(out / f'math{bits}'), points], check=False).returncode]
    return bool(failed)


if __name__ == '__main__':
    sys.exit(main())
