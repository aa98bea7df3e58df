# SPDX-License-Identifier: Apache-2.0
"""Functions of random kernels that take and return structs: by value and by
pointer, of more than one size, with gaps and arrays in them."""

TYPES = '''struct pair { uint a; ulong d; };
struct wide { struct part s; struct pair z[2]; uint3 v; };
'''

START = '''int v0 = x, v1 = y * 3u, p[8] = { 1, x, 2, y, 3, 4, 5, 6 };
'''

# By kind: what it returns, its first parameter, what comes before the random
# statements on s, sa, w0 and what behind them.
KINDS = {
    'value': ('int', 'struct part s', 'struct part sa[2] = { s, s };\n',
              'return v0 ^ s.b[1] ^ sa[1].c ^ (int)w0 ^ (int)s.d ^ s.e.x;\n'),
    'part': ('struct part', 'struct part s',
             'struct part sa[2] = { s, s };\n',
             's.b[0] ^= v0;\ns.d ^= w0 ^ sa[x & 1].c;\nreturn s;\n'),
    'pointer': ('int', 'struct part *r',
                'struct part s = *r, sa[2] = { s, *r };\n',
                'r->b[v1 & 1] ^= v0;\nr->c += s.c;\nr->d = s.d ^ w0;\n'
                'return r->b[0] ^ sa[0].a;\n'),
    'pair': ('struct pair', 'struct pair z',
             'struct part s = { x, { y, x, 3 }, z.a, z.d, (uchar4)(y) };\n'
             'struct part sa[2] = { s, s };\n',
             'z.a ^= v0 ^ s.b[0];\nz.d += s.d ^ w0 ^ sa[1].c;\nreturn z;\n'),
    'wide': ('struct wide', 'struct part s', 'struct part sa[2] = { s, s };\n',
             'struct wide u = { sa[y & 1], { { v0, w0 }, { v1, s.d } }, '
             '(uint3)(v0, s.c, v1) };\nreturn u;\n'),
}

# How each is called, as a statement.
CALLS = {
    'value': ['v0 ^= NAME(s, %s, %s, a);',
              'sa[0].b[1] += (uint)NAME(sa[%s & 1], %s, n, a);'],
    'part': ['s = NAME(s, %s, %s, a);',
             'sa[%s & 1] = NAME(sa[%s & 1], v1, %s, a);',
             'w0 ^= NAME(s, %s, %s, a).d;',
             's = NAME(NAME(sa[1], %s, v0, a), %s, %s, a);'],
    'pointer': ['v1 ^= NAME(&s, %s, %s, a);',
                'v0 ^= NAME(&sa[%s & 1], %s, %s, a);'],
    'pair': ['z0 = NAME(z0, %s, %s, a);',
             'z0.d ^= NAME(z0, %s, s.b[1], a).a;'],
    'wide': ['s = NAME(s, %s, %s, a).s;',
             'z0 = NAME(sa[%s & 1], %s, v0, a).z[%s & 1];',
             'v1 ^= NAME(sa[0], %s, %s, a).v.z;'],
}


def call(rng, functions):
    """The form of a statement that calls one of them, [(name, kind)]."""
    name, kind = rng.choice(functions)
    return rng.choice(CALLS[kind]).replace('NAME', name)


def function(name, kind, body):
    result, first, before, after = KINDS[kind]
    return (f'{result} {name}({first}, int x, int y, global const int *a)\n'
            f'{{\n{START}{before}long w0 = s.d;\n'
            f'struct pair z0 = {{ s.c, s.d }};\nint n = y;\n'
            f'{body}\n{after}}}\n')
