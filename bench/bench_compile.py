#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How the time to compile grows with a kernel.

    bench_compile.py [--build DIR] [--source FILE]

Compiles a kernel that has a built-in function tested for every integer type
and width, 48 functions which print strings and so are inlined, as pocl's own
tests of abs, add_sat and the like do.  Prints, as other benchmarks do:

    cc.wide      CPU seconds for it, clang included
    cc.growth    that, divided by what a quarter of the types take: 4 at most
                 if no step takes more time than the size of its input

--source writes the kernel, which prints nothing if all is right."""
import argparse
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

TYPES = ['char', 'uchar', 'short', 'ushort', 'int', 'uint', 'long', 'ulong']
LIMITS = {'char': 'CHAR', 'short': 'SHRT', 'int': 'INT', 'long': 'LONG'}
WIDTHS = ['', '2', '3', '4', '8', '16']
# Numbers in two halves, of which sums and differences do not overflow.  What
# other functions give is computed too, and not used, as in pocl's tests.
HALVES = '''
{word}2 pair_{type}({type} x)
{{
    int bits = 4 * sizeof(x);
    {type} mask = ({type})((({type})1 << bits) - 1);
    return ({word}2)(({word})(x & mask), ({word})(x >> bits));
}}
{word}2 carry_{type}({word}2 x)
{{
    int bits = 4 * sizeof({word});
    {word} mask = ({word})((({word})1 << bits) - 1);
    {word} more = x.s0 >> bits;
    return ({word}2)(x.s0 & mask, x.s1 + more);
}}
bool below_{type}({word}2 a, {word}2 b)
{{
    return a.s1 < b.s1 || (a.s1 == b.s1 && a.s0 < b.s0);
}}
{word}2 whole_{type}({word}2 x)
{{
    {word}2 least = ({word}2)(0, {word_min}), most = ({word}2)(-1, {word_max});
    most.s0 = ({word})((({word})1 << 4 * sizeof({word})) - 1);
    if (below_{type}(x, least))
        x = least;
    if (below_{type}(most, x))
        x = most;
    return x;
}}
{word}2 plus_{type}({word}2 a, {word}2 b)
{{
    return whole_{type}(carry_{type}(whole_{type}(a) + whole_{type}(b)));
}}
{word}2 minus_{type}({word}2 a, {word}2 b)
{{
    return whole_{type}(carry_{type}(whole_{type}(a) - whole_{type}(b)));
}}
bool less_{type}({word}2 a, {word}2 b) {{ return minus_{type}(a, b).s1 < 0; }}
{word}2 half_{type}({word}2 x)
{{
    int bits = 4 * sizeof({word});
    x = whole_{type}(x);
    return ({word}2)((x.s0 >> 1) | (x.s1 & 1) << (bits - 1), x.s1 >> 1);
}}
{word}2 clamp_{type}({word}2 x, {word}2 least, {word}2 most)
{{
    if (less_{type}(x, least))
        return least;
    return less_{type}(most, x) ? most : x;
}}
{type} join_{type}({word}2 x)
{{
    {type} whole = ({type})(({type})x.s0 | ({type})x.s1 << 4 * sizeof(x.s0));
    {word}2 again = pair_{type}(whole);
    if (less_{type}(again, x) || less_{type}(x, again))
        printf("FAIL: %d %d are no %s\\n", (int)x.s0, (int)x.s1, "{type}");
    return whole;
}}
'''
FUNCTION = '''
typedef union {{ {type} v; {scalar} s[16]; }} u_{type};
void test_{type}(constant uint *random, int n)
{{
    {word}2 one = pair_{scalar}(1), least = pair_{scalar}({least}),
            most = pair_{scalar}({most});
    for (int i = 0; i + 2 * {count} <= n; i += 5) {{
        u_{type} a, b, found[8], wanted[8];
        for (int k = 0; k < {count}; k++) {{
            a.s[k] = ({scalar})random[i + k];
            b.s[k] = ({scalar})random[i + k + {count}];
            {word}2 x = pair_{scalar}(a.s[k]), y = pair_{scalar}(b.s[k]);
            wanted[0].s[k] = join_{scalar}(half_{scalar}(
                plus_{scalar}(x, y)));
            wanted[1].s[k] = join_{scalar}(half_{scalar}(plus_{scalar}(
                plus_{scalar}(x, y), one)));
            wanted[2].s[k] = join_{scalar}(clamp_{scalar}(
                plus_{scalar}(x, y), least, most));
            wanted[3].s[k] = join_{scalar}(clamp_{scalar}(
                minus_{scalar}(x, y), least, most));
            wanted[4].s[k] = join_{scalar}(clamp_{scalar}(x, y, most));
            wanted[5].s[k] = join_{scalar}(clamp_{scalar}(x, least, y));
            wanted[6].s[k] = join_{scalar}(plus_{scalar}(half_{scalar}(
                minus_{scalar}(x, y)), y));
            wanted[7].s[k] = join_{scalar}(clamp_{scalar}(plus_{scalar}(
                plus_{scalar}(x, y), x), least, most));
        }}
        found[0].v = hadd(a.v, b.v);
        found[1].v = rhadd(a.v, b.v);
        found[2].v = add_sat(a.v, b.v);
        found[3].v = sub_sat(a.v, b.v);
        found[4].v = max(a.v, b.v);
        found[5].v = min(a.v, b.v);
        found[6].v = hadd(a.v, b.v);
        found[7].v = mad_sat(a.v, ({type})2, b.v);
        for (int k = 0; k < {count}; k++)
            if (found[1].s[k] != wanted[1].s[k])
                printf("FAIL: rhadd(%d, %d): %d, not %d, type=%s\\n",
                       (int)a.s[k], (int)b.s[k], (int)found[1].s[k],
                       (int)wanted[1].s[k], "{type}");
    }}
}}
'''


def source(types):
    """A kernel that calls a function for each width of each type."""
    numbers = ', '.join(f'{i * 2654435761 % 2**32}u' for i in range(64))
    text, calls = f'constant uint random[64] = {{ {numbers} }};\n', ''
    for scalar in types:
        word, name = scalar.lstrip('u'), LIMITS[scalar.lstrip('u')]
        signed = word == scalar
        text += HALVES.format(type=scalar, word=word,
                              word_min=name + '_MIN', word_max=name + '_MAX')
        for width in WIDTHS:
            text += FUNCTION.format(
                type=scalar + width, scalar=scalar, word=word,
                count=int(width or '1'), least=f'{name}_MIN' if signed else '0',
                most=f'{name}_MAX' if signed else f'U{name}_MAX')
            calls += f'    test_{scalar}{width}(random, 64);\n'
    return f'{text}\nkernel void test(void)\n{{\n{calls}}}\n'


def cpu_s(cc, text, folder):
    """CPU seconds to compile it."""
    path = Path(folder) / 'wide.cl'
    path.write_text(text)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([cc, '-o', Path(folder) / 'wide.elf', path],
                          capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(done.stderr)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', type=Path, default=Path('build/release'))
    parser.add_argument('--source', type=Path)
    options = parser.parse_args()
    if options.source:
        options.source.write_text(source(TYPES))
        return 0
    cc = options.build.resolve() / 'bin/ventus-cc'
    with tempfile.TemporaryDirectory() as folder:
        quarter = cpu_s(cc, source(TYPES[4:6]), folder)
        wide = cpu_s(cc, source(TYPES), folder)
    print(f'cc.wide {wide:.2f} s')
    print(f'cc.growth {wide / quarter:.2f} times')
    return 0


if __name__ == '__main__':
    sys.exit(main())
