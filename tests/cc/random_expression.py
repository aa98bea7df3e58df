# SPDX-License-Identifier: Apache-2.0
"""Random expressions in OpenCL C, as trees that can be cut down; what
random_program.py makes of its rules for programs that are well defined."""

BASES = ['uchar', 'ushort', 'uint', 'ulong', 'char', 'short', 'int', 'long']
SIGNED = {'uchar': 'char', 'ushort': 'short', 'uint': 'int', 'ulong': 'long'}
BITS = {'uchar': 8, 'ushort': 16, 'uint': 32, 'ulong': 64}
ZERO = {'int': '1', 'long': '1L', 'float': '1.0f', 'double': '1.0',
        'half': '(H)1', 'bool': '1', 'x': '%s', 'y': '%s'}


class Node:
    """Text with holes for kids; kind: 'list', 'stmt' or the type."""

    def __init__(self, kind, form, *kids):
        self.kind, self.form, self.kids = kind, form, list(kids)

    def text(self):
        if self.kind == 'list':
            return '\n'.join(k.text() for k in self.kids)
        return self.form % tuple(k.text() for k in self.kids) \
            if self.kids else self.form.replace('%%', '%')


def leaf(kind, text):
    return Node(kind, text)


class Scope:
    """The names that statements and expressions may use."""

    def __init__(self, **names):
        self.names = names

    def get(self, kind):
        return self.names.get(kind, [])


class Expressions:
    """Expressions of every type, by one random generator."""

    def __init__(self, rng, scope, vectors=None, halves=False):
        self.rng, self.scope, self.halves = rng, scope, halves
        self.vectors = vectors or {}  # 'x' to (base, width)
        self.functions = []
        self.depth = rng.choice([1, 1, 2, 2, 3])  # of expressions
        self.counter = self.loops = 0
        self.finish = None
        self.may_return = False

    # ---- expressions ----

    def pick(self, kind):
        return self.rng.choice(self.scope.get(kind))

    def leaf(self, kind):
        rng = self.rng
        if kind in self.vectors:
            base, width = self.vectors[kind]
            if rng.random() < .25:
                return leaf(kind, f'({base}{width})({rng.randrange(100)})')
            return leaf(kind, self.pick(kind))
        if kind == 'half':
            return leaf(kind, rng.choice(self.scope.get('half') * 2 + [
                f'(H){rng.randrange(9)}.5', '(H)-0.125', '(H)0x1p-14']))
        if kind == 'float':
            return leaf(kind, rng.choice(self.scope.get('float') + [
                f'{rng.randrange(9)}.5f', '(-2.5f)', '0.125f']))
        if kind == 'double':
            return leaf(kind, rng.choice(self.scope.get('double') + [
                f'{rng.randrange(9)}.25', '(-3.75)', '0x1p-20']))
        if kind == 'long':
            return leaf(kind, rng.choice(
                self.scope.get('long') * 2 + ['(long)v0', '((long)v1 * 1048576L)',
                f'({rng.randrange(-2**40, 2**40)}L)'])) if self.scope.get('long') \
                else leaf(kind, '(long)x')
        text = rng.choice(self.scope.get('int') * 3 + [
            f'({rng.randrange(-20, 20)})',
            f'({rng.randrange(1 - 2**31, 2**31)})', f'a[{rng.randrange(64)}]', f'table[{rng.randrange(16)}]'])
        return leaf('int', text)

    def expr(self, kind='int', depth=3):
        rng, depth = self.rng, min(depth, self.depth)
        if depth <= 0 or rng.random() < .15:
            return self.leaf(kind)
        if rng.random() < .1 and kind not in self.vectors:
            return Node(kind, '(%s ? %s : %s)', self.test(depth - 1),
                        self.expr(kind, depth - 1), self.expr(kind, depth - 1))
        if kind in self.vectors:
            return self.vector(kind, depth - 1)
        return getattr(self, kind + '_expr')(depth - 1)

    def int_expr(self, depth):
        rng, e = self.rng, lambda: self.expr('int', depth)
        if self.halves and rng.random() < .15:
            return Node('int', rng.choice([
                '(int)small_h(%s)', '(int)BITS(small_h(%s))',
                'convert_int_sat_rtn(small_h(%s))',
                '(int)convert_char_sat_rte(small_h(%s))',
                '(int)(ushort)fabs(small_h(%s))']), self.expr('half', depth))
        form = rng.randrange(20)
        if form < 6:
            return Node('int', '(int)((uint)%%s %s (uint)%%s)'
                        % rng.choice('+-*&|^'), e(), e())
        if form == 6:
            return Node('int', rng.choice([
                '(int)((uint)%s << (%s & 31))', '(%s >> (%s & 31))',
                '(int)((uint)%s >> (%s & 31))']), e(), e())
        if form == 7:
            return Node('int', '(%%s %s ((%%s & 1023) | 1))'
                        % rng.choice(['/', '%%']), e(), e())
        if form == 8:
            return Node('int', '(int)((uint)%%s %s ((uint)%%s | 1))'
                        % rng.choice(['/', '%%']), e(), e())
        if form == 9:
            return Node('int', rng.choice([
                'a[%s & 63]', 'table[%s & 15]', '(int)bytes[%s & 31]']), e())
        if form == 10:
            return Node('int', '(int)(%s)%%s' % rng.choice(
                ['char', 'uchar', 'short', 'ushort', 'long', 'uint']), e())
        if form == 11:
            return Node('int', '(int)%s', self.expr('long', depth))
        if form == 12:
            return Node('int', rng.choice([
                'mul_hi(%s, %s)', 'rotate(%s, %s)', 'add_sat(%s, %s)',
                'sub_sat(%s, %s)', 'hadd(%s, %s)', 'rhadd(%s, %s)',
                'min(%s, %s)', 'max(%s, %s)', '(int)abs_diff(%s, %s)',
                '(int)mul_hi((uint)%s, (uint)%s)',
                '(int)max((uint)%s, (uint)%s)',
                '(int)add_sat((short)%s, (short)%s)',
                '(int)rotate((ushort)%s, (ushort)%s)',
                '(int)sub_sat((uchar)%s, (uchar)%s)',
                'mul24(%s & 0x7fffff, %s & 0x7fffff)']), e(), e())
        if form == 13:
            return Node('int', rng.choice([
                'clz(%s)', 'popcount(%s)', '(int)clz((uchar)%s)',
                '(int)abs(%s)', '(int)popcount((ushort)%s)', '(~%s)',
                '(int)convert_char_sat(%s)', '(int)convert_ushort_sat(%s)',
                'convert_int_sat((uint)%s)']), e())
        if form == 14:
            return Node('int', rng.choice([
                'bitselect(%s, %s, %s)', 'select(%s, %s, %s)',
                'mad_sat(%s, %s, %s)', 'clamp(%s, min(%s, 1000), 1001 + '
                '(%s & 0xffff))']), e(), e(), e())
        if form == 15:
            return Node('int', rng.choice([
                'convert_int_sat(%s)', 'convert_int_sat_rte(%s)',
                'convert_int_sat_rtn(%s)', '(int)small(%s)']),
                self.expr('float', depth))
        if form == 16 and self.functions:
            return Node('int', rng.choice(self.functions), e(), e())
        if form == 17 and self.vectors:
            kind = rng.choice(list(self.vectors))
            base, width = self.vectors[kind]
            if rng.random() < .5 and depth > 0:
                return Node('int', rng.choice(['any', 'all']) + '(%s == %s)',
                            self.expr(kind, 1), self.expr(kind, 1))
            return Node('int', f'(int)(%s).s{rng.randrange(width):x}',
                        self.expr(kind, depth))
        if form == 18 and self.scope.get('array'):
            return Node('int', self.pick('array') + '[%s & 7]', e())
        if form == 19 and self.scope.get('parts'):
            return Node('int', rng.choice([
                '(int)sa[%s & 1].a', 'sa[%s & 1].b[2]', 's.b[(%s & 7) %% 3]',
                '(int)sa[%s & 1].d', '(int)sa[%s & 1].e.y']), e())
        return Node('int', '(int)((uint)%s + (uint)%s)', e(), e())

    def long_expr(self, depth):
        rng, e = self.rng, lambda: self.expr('long', depth)
        form = rng.randrange(10)
        if form < 4:
            return Node('long', '(long)((ulong)%%s %s (ulong)%%s)'
                        % rng.choice('+-*&|^'), e(), e())
        if form == 4:
            return Node('long', rng.choice([
                '(long)((ulong)%s << (%s & 63))', '(%s >> (%s & 63))',
                '(long)((ulong)%s >> (%s & 63))']), e(), e())
        if form == 5:
            return Node('long', rng.choice([
                '(%s / ((%s & 1023) | 1))', '(%s %% ((%s & 1023) | 1))',
                '(long)((ulong)%s / ((ulong)%s | 1))',
                '(long)((ulong)%s %% ((ulong)%s | 1))']), e(), e())
        if form == 6:
            return Node('long', rng.choice([
                'mul_hi(%s, %s)', 'rotate(%s, %s)', 'add_sat(%s, %s)',
                '(long)sub_sat((ulong)%s, (ulong)%s)', 'min(%s, %s)',
                '(long)upsample((int)%s, (uint)%s)', 'hadd(%s, %s)']),
                e(), e())
        if form == 7:
            return Node('long', rng.choice([
                'clz(%s)', 'popcount(%s)', '(long)abs(%s)', '(~%s)']), e())
        if form == 8:
            return Node('long', rng.choice([
                '(long)%s', '(long)(uint)%s']), self.expr('int', depth))
        if not self.scope.get('double'):
            return Node('long', '(~%s)', e())
        return Node('long', '(long)small_d(%s)', self.expr('double', depth))

    def float_expr(self, depth):
        rng, e = self.rng, lambda: self.expr('float', depth)
        if self.halves and rng.random() < .2:
            return Node('float', '(float)small_h(%s)',
                        self.expr('half', depth))
        form = rng.randrange(9)
        if form < 4:
            return Node('float', '(%%s %s %%s)' % rng.choice('+-*'), e(), e())
        if form == 4:
            return Node('float', rng.choice([
                'fabs(%s)', 'floor(%s)', 'ceil(%s)', 'trunc(%s)', 'rint(%s)',
                'round(%s)', '(-%s)']), e())
        if form == 5:
            return Node('float', rng.choice([
                '(%s / (fabs(%s) + 1.0f))', 'copysign(%s, %s + 0.001f)']),
                e(), e())
        if form == 6:
            return Node('float', 'fma(%s, %s, %s)', e(), e(), e())
        if form == 7:
            return Node('float', rng.choice([
                '(float)(%s & 255)', 'small((float)%s)',
                '(float)((uint)%s >> 20)']), self.expr('int', depth))
        if not self.scope.get('double'):
            return Node('float', 'fabs(%s)', e())
        return Node('float', '(float)small_d(%s)', self.expr('double', depth))

    def half_expr(self, depth):
        rng, e = self.rng, lambda: self.expr('half', depth)
        form = rng.randrange(10)
        if form < 4:
            return Node('half', 'ROUND(%%s %s %%s)' % rng.choice('+-*/'), e(),
                        e())
        if form == 4:
            return Node('half', rng.choice([
                'fabs(%s)', 'floor(%s)', 'ceil(%s)', 'trunc(%s)', 'rint(%s)',
                'round(%s)', '(-%s)', 'ROUND(sqrt(fabs(%s)))']), e())
        if form == 5:
            return Node('half', rng.choice([
                'ROUND(fmin(%s, %s) + (H)0)', 'ROUND(fmax(%s, %s) + (H)0)']),
                e(), e())
        if form == 6:
            return Node('half', 'H_FMA(%s, %s, %s)', e(), e(), e())
        if form == 7:
            return Node('half', rng.choice([
                'H_OF(%s)', 'H_OF((short)%s)', 'H_OF((uchar)%s)',
                'H_OF((uint)%s >> 18)', 'OF_BITS(%s & 0xfbff)']),
                self.expr('int', depth))
        if form == 8 and self.scope.get('halves'):
            return Node('half', 'hp[%s & 3]', self.expr('int', depth))
        kind = rng.choice(['float', 'float', 'double', 'long'])
        if not self.scope.get('double'):  # upstream has no way from long
            kind = 'int'
        return Node('half', 'H_OF(%s)', self.expr(kind, depth))

    def double_expr(self, depth):
        rng, e = self.rng, lambda: self.expr('double', depth)
        form = rng.randrange(8)
        if form < 3:
            return Node('double', '(%%s %s %%s)' % rng.choice('+-*'), e(), e())
        if form == 3:
            return Node('double', rng.choice([
                'fabs(%s)', 'floor(%s)', 'trunc(%s)', 'rint(%s)', '(-%s)',
                'sqrt(fabs(%s))']), e())
        if form == 4:
            return Node('double', '(%s / (fabs(%s) + 1.0))', e(), e())
        if form == 5:
            return Node('double', '(double)%s', self.expr('float', depth))
        if form == 6:
            return Node('double', 'small_d((double)%s)',
                        self.expr('long', depth))
        return Node('double', 'fma(%s, %s, %s)', e(), e(), e())

    def vector(self, kind, depth):
        rng, e = self.rng, lambda: self.expr(kind, depth)
        base, width = self.vectors[kind]
        t, signed, bits = f'{base}{width}', SIGNED[base], BITS[base]
        form = rng.randrange(11)
        if form < 4:
            return Node(kind, '(%%s %s %%s)' % rng.choice('+-*&|^'), e(), e())
        if form == 4:
            return Node(kind, rng.choice([
                f'(%s << (%s & ({base}){bits - 1}))',
                f'(%s >> (%s & ({base}){bits - 1}))',
                f'(%s / (%s | ({base})1))', f'(%s %% (%s | ({base})3))']),
                e(), e())
        if form == 5:
            return Node(kind, rng.choice([
                f'as_{t}(%s == %s)', f'as_{t}(%s < %s)', f'as_{t}(%s > %s)',
                f'as_{t}(as_{signed}{width}(%s) <= as_{signed}{width}(%s))']),
                e(), e())
        if form == 6:
            return Node(kind, rng.choice([
                'min(%s, %s)', 'max(%s, %s)', 'rotate(%s, %s)',
                'add_sat(%s, %s)', 'sub_sat(%s, %s)', 'mul_hi(%s, %s)',
                'abs_diff(%s, %s)', 'hadd(%s, %s)']), e(), e())
        if form == 7:
            order = ''.join('%x' % rng.randrange(width) for _ in range(width))
            return Node(kind, f'(%s).s{order}', e())
        if form == 8:
            return Node(kind, f'({t})(({base})%s)', self.expr('int', depth))
        if form == 9:
            return Node(kind, f'select(%s, %s, as_{signed}{width}(%s))', e(),
                        e(), e())
        if width != 3:
            return Node(kind, 'shuffle(%s, %s)', e(), e())
        return Node(kind, '(~%s)', e())

    def test(self, depth=2):
        rng = self.rng
        op = rng.choice(['<', '>', '<=', '>=', '==', '!='])
        kind = rng.choice(['int'] * 5 + ['long', 'float', 'uint', 'double'] +
                          ['half'] * 3 * self.halves)
        if kind == 'uint':
            return Node('bool', f'((uint)%s {op} (uint)%s)',
                        self.expr('int', depth), self.expr('int', depth))
        if not self.scope.get(kind):
            kind = 'int'
        a = Node('bool', f'(%s {op} %s)', self.expr(kind, min(depth, 2)),
                 self.expr(kind, 1))
        if rng.random() < .2 and depth > 0:
            return Node('bool', rng.choice(['(%s && %s)', '(%s || %s)']), a,
                        self.test(depth - 1))
        return a

    def condition(self):
        rng = self.rng
        if rng.random() < .5:
            return Node('bool', f'((%s ^ %s) & {rng.choice([1, 2, 3, 4, 6])})',
                        self.leaf('int'), self.leaf('int'))
        return self.test()
