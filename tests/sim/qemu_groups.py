# SPDX-License-Identifier: Apache-2.0
"""Items of qemu.py: elements of 8, 16 and 64 bits, fixed point, carries.

Ventus has an element of any width in each lane of 32 bits; QEMU has them side
by side.  So its spelling packs the sources into temporary registers, does the
same instruction on them and widens the result again:

    2 * SEW bits    packed elements of 16 or 32 bits; pairs of registers, low
                    and high words, become elements of 64 bits
    results         zero-extended to their lanes

v26 to v28 are saved for this and are no operands of these items.
"""
FIXED_VX = ('vsaddu vsadd vssubu vssub vaaddu vaadd vasubu vasub vsmul vssrl '
            'vssra').split()
FIXED_I = 'vsaddu vsadd'.split()
FIXED_U = 'vssrl vssra'.split()
NARROW = 'vnsrl vnsra vnclipu vnclip'.split()
CARRY = 'vadc vmadc vsbc vmsbc'.split()
WIDEN_F = {8: 'f.xu.v f.x.v', 16: 'xu.f.v x.f.v f.xu.v f.x.v f.f.v',
           32: 'xu.f.v x.f.v f.xu.v f.x.v f.f.v'}
NARROW_F = {8: 'xu.f.w x.f.w', 16: 'xu.f.w x.f.w f.xu.w f.x.w f.f.w '
            'rod.f.f.w', 32: 'xu.f.w x.f.w f.xu.w f.x.w f.f.w rod.f.f.w'}
INT_VX = ('vadd vsub vand vor vxor vsll vsrl vsra vmin vminu vmax vmaxu vmul '
          'vmulh vmulhu vmulhsu vdiv vdivu vrem vremu').split()
LMUL = {8: 'mf4', 16: 'mf2', 32: 'm1', 64: 'm2'}
SAVE = ['la x2, lanes', 'vse32.v v26, (x2)', 'addi x2, x2, 128',
        'vse32.v v27, (x2)', 'addi x2, x2, 128', 'vse32.v v28, (x2)']
RESTORE = ['la x2, lanes', 'vle32.v v26, (x2)', 'addi x2, x2, 128',
           'vle32.v v27, (x2)', 'addi x2, x2, 128', 'vle32.v v28, (x2)']
MASK = ['vmv1r.v v31, v0', 'vand.vi v30, v0, 1', 'vmsne.vi v0, v30, 0']


def width(sew):
    """In QEMU, where vl stays only if the ratio does; at 32 for memory."""
    return f'vsetvli x0, x0, e{sew}, {LMUL[sew]}, tu, mu'


def saved(*lines):
    """All lanes are saved and restored, whatever vl is now."""
    full = ['csrr x3, vl', 'li x2, 32', 'vsetvli x0, x2, e32, m1, tu, mu']
    back = ['vsetvli x0, x3, e32, m1, tu, mu']
    return [*full, *SAVE, *back, *lines, *full, *RESTORE, *back]


def pack(to, v, sew):
    """Elements of sew bits from the low bits of lanes, side by side."""
    lines = [width(16), f'vnsrl.wi {to}, {v}, 0']
    if sew == 8:
        lines += [width(8), f'vnsrl.wi {to}, {to}, 0']
    return lines + [width(32)] if sew < 32 else [f'vmv.v.v {to}, {v}']


def join(to, low):
    """Elements of 64 bits in two registers from low and next one's words."""
    return ['li x1, -1', f'vwaddu.vx {to}, v{low}, x0',
            f'vwmaccu.vx {to}, x1, v{low + 1}',
            f'vwaddu.wv {to}, {to}, v{low + 1}']


def unpack(v, sew, packed):
    """v30 and v31 are overwritten."""
    if sew == 32:
        return [f'vmv.v.v {v}, {packed}']
    return [f'vzext.vf{32 // sew} v31, {packed}', f'vmv.v.v {v}, v31']


def split(low, packed):
    return ['li x1, 32', f'vnsrl.wi v{low}, {packed}, 0',
            f'vnsrl.wx v{low + 1}, {packed}, x1']


def at(sew, *lines):
    return [width(sew), *lines, width(32)]


def ours(sew, *lines):
    if sew == 32:
        return list(lines)
    return [f'vsetvli x0, x0, e{sew}', *lines, 'vsetvli x0, x0, e32']


class Groups:
    """A part of qemu_program.Maker, which has self.r and self.x()."""

    def low(self, least=0):
        return f'v{self.r.randrange(least, 26)}'

    def even(self):
        return 2 * self.r.randrange(1, 13)

    def sew(self):
        return self.r.choice((8, 16, 32))

    def fixed(self):
        """Operands as Maker.operands(), any width."""
        r = self.r
        kind = r.randrange(5)
        if kind < 3:
            return r.choice(FIXED_VX) + '.vv', None
        if kind == 3:
            return r.choice(FIXED_VX) + '.vx', self.x()
        if r.random() < 0.5:
            return r.choice(FIXED_I) + '.vi', str(r.randrange(-16, 16))
        return r.choice(FIXED_U) + '.vi', str(r.randrange(32))

    def rounding(self):
        r = self.r
        return [r.choice((
            f'csrwi vxrm, {r.randrange(4)}', f'csrwi vcsr, {r.randrange(8)}',
            f'csrrw {self.x()}, vcsr, {self.x()}', 'csrwi vxsat, 0',
            f'csrrs {self.x()}, vxsat, x0',
            f'csrrci {self.x()}, vxrm, {r.randrange(4)}'))]

    def csr_fixed(self):
        lines = self.rounding()
        return lines, lines

    def arithmetic(self):
        """Fixed point, and other integers where elements are narrow."""
        r, sew = self.r, self.sew()
        op, second = self.fixed()
        if sew < 32 and r.random() < 0.4:
            op = r.choice(INT_VX) + '.v' + op[-1].replace('i', 'x')
            second = self.x() if op[-1] == 'x' else None
        d, a, b = self.low(1), self.low(1), self.low(1)
        vm = r.choice(('', '', ', v0.t'))
        lines = [*pack('v26', a, sew), *pack('v27', b, sew),
                 *pack('v28', d, sew), *(MASK if vm else []),
                 *at(sew, f'{op} v28, v26, {second or "v27"}{vm}'),
                 *(['vmv1r.v v0, v31'] if vm else [])]
        # A lane that is off keeps what is above the element, too.
        lines += ['vmv.v.v v27, ' + d, *unpack(d, sew, 'v28')]
        if vm and sew < 32:
            lines += [*MASK, f'vmerge.vvm {d}, v27, {d}, v0',
                      'vmv1r.v v0, v31']
        head = self.rounding()
        return (head + ours(sew, f'{op} {d}, {a}, {second or b}{vm}'),
                head + saved(*lines))

    def wide_pair(self):
        """64 bits by a register pair prefix."""
        op, second = self.fixed()
        if second and op.endswith('x'):
            op, second = op[:-1] + 'v', None
        d, a, b = self.even(), self.even(), self.even()
        def pair(n):
            return f'[v{n + 1}:v{n}]'
        text = f'{op} {pair(d)}, {pair(a)}, {second or pair(b)}'
        return ([text], saved(
            *join('v26', a), *join('v30', b), width(64),
            f'{op} v30, v26, {second or "v30"}', width(32),
            *split(d, 'v30')))

    def source_twice(self, sew):
        """A source of 2 * SEW bits: its name, how QEMU packs it into v26."""
        if sew == 32:
            a = self.even()
            return f'v{a}', join('v26', a)
        a = self.low()
        return a, pack('v26', a, 2 * sew)

    def narrow(self):
        r, sew = self.r, self.sew()
        d, b, s = self.low(), self.low(), self.x()
        a, packed = self.source_twice(sew)
        op = r.choice(NARROW)
        head = self.rounding()
        form, second, theirs = r.choice((
            ('wv', b, 'v28'), ('wx', s, s),
            ('wi', *[str(r.randrange(32))] * 2)))
        lines = [*pack('v28', b, sew), *packed,
                 *at(sew, f'{op}.{form} v30, v26, {theirs}'),
                 *unpack(d, sew, 'v30')]
        return (head + ours(sew, f'{op}.{form} {d}, {a}, {second}'),
                head + saved(*lines))

    def convert(self):
        """Floating point to another width."""
        r, sew = self.r, self.sew()
        if r.random() < 0.5:
            op = 'vfncvt.' + r.choice(NARROW_F[sew].split())
            d = self.low()
            a, packed = self.source_twice(sew)
            lines = [*packed, *at(sew, f'{op} v30, v26'),
                     *unpack(d, sew, 'v30')]
            return ours(sew, f'{op} {d}, {a}'), saved(*lines)
        op, a = 'vfwcvt.' + r.choice(WIDEN_F[sew].split()), self.low()
        lines = [*pack('v28', a, sew), *at(sew, f'{op} v26, v28')]
        if sew == 32:
            d = self.even()
            return [f'{op} v{d}, {a}'], saved(*lines, *split(d, 'v26'))
        d = self.low()
        return (ours(sew, f'{op} {d}, {a}'),
                saved(*lines, *unpack(d, 2 * sew, 'v26')))

    def estimate(self):
        sew = self.r.choice((16, 32))
        op = self.r.choice(('vfrec7.v', 'vfrsqrt7.v'))
        d, a = self.low(), self.low()
        return (ours(sew, f'{op} {d}, {a}'),
                saved(*pack('v26', a, sew), *at(sew, f'{op} v26, v26'),
                      *unpack(d, sew, 'v26')))

    def extend(self):
        r = self.r
        part = r.choice((2, 4))
        sew = r.choice((16, 32)) if part == 2 else 32
        op = f'v{r.choice("sz")}ext.vf{part}'
        d, a = self.low(), self.low()
        return (ours(sew, f'{op} {d}, {a}'),
                saved(*pack('v26', a, sew // part), *at(sew, f'{op} v28, v26'),
                      *unpack(d, sew, 'v28')))

    def carry(self):
        r, sew = self.r, self.sew()
        op = r.choice(CARRY)
        bit = op[1] != 'm' or r.random() < 0.5
        imm = 'c' in op[2:4] and 'adc' in op and r.random() < 0.3
        d, a, b, s = self.low(1), self.low(), self.low(), self.x()
        form, second, theirs = r.choice((('v', b, 'v27'), ('x', s, s)))
        if imm:
            form, second = 'i', str(r.randrange(-16, 16))
            theirs = second
        name = f'{op}.v{form}{"m" if bit else ""}'
        end = ', v0' if bit else ''
        lines = [*pack('v26', a, sew), *pack('v27', b, sew), *MASK,
                 *at(sew, f'{name} v28, v26, {theirs}{end}')]
        if op[1] == 'm':
            lines += ['vmv1r.v v0, v28', 'vmv.v.i v28, 0',
                      'vmerge.vim v28, v28, 1, v0', 'vmv1r.v v0, v31',
                      f'vmv.v.v {d}, v28']
        else:
            lines += ['vmv1r.v v0, v31', *unpack(d, sew, 'v28')]
        return (ours(sew, f'{name} {d}, {a}, {second}{end}'), saved(*lines))

    def count(self):
        op = self.r.choice(('vcpop.m', 'vfirst.m'))
        x, a = self.x(), self.low()
        vm = self.r.choice(('', ', v0.t'))
        return ([f'{op} {x}, {a}{vm}'],
                [f'vand.vi v30, {a}, 1', 'vmsne.vi v29, v30, 0',
                 *(MASK if vm else []), f'{op} {x}, v29{vm}',
                 *(['vmv1r.v v0, v31'] if vm else [])])

    # ---- memory --------------------------------------------------------------
    def strided(self):
        r = self.r
        sew, d = r.choice((8, 16)), self.low()
        size = sew // 8
        step = size * r.choice((-7, -1, 0, 1, 2, 3, 9))
        low = max(0, -31 * step)
        base = r.randrange(low, min(1024, 1024 - 31 * step) - size, size)
        if r.random() < 0.5:
            op = f'vlse{sew}.v'
            head = [f'addi x9, x8, {base}', f'li x1, {step}']
            return (head + [f'{op} {d}, (x9), x1'],
                    head + saved(*at(sew, f'{op} v26, (x9), x1'),
                                 *unpack(d, sew, 'v26')))
        op = f'vsse{sew}.v'
        head = [f'addi x9, x8, {1024 + base}', f'li x1, {step}']
        return (head + [f'{op} {d}, (x9), x1'],
                head + saved(*pack('v26', d, sew),
                             *at(sew, f'{op} v26, (x9), x1')))

    def indexed(self):
        """Indices of one width, elements of another."""
        r, sew = self.r, self.sew()
        index, d, b = r.choice((8, 16, 32)), self.low(), self.low()
        keep = 256 - sew // 8 if index == 8 else 1024 - sew // 8
        # bits above an index of 8 or 16 do not count
        head = [f'li x9, {keep}', f'vand.vx v29, {b}, x9']
        noise = ['vid.v v29', 'vsll.vi v29, v29, 2'] if sew == 32 and \
            index == 8 else []
        head += noise
        load = r.random() < 0.5
        op = f'v{"l" if load else "s"}{r.choice("uo") if load else "o"}' \
            f'xei{index}.v'
        base = 0 if load else 1024
        head += [f'addi x1, x8, {base}']
        high = [] if index == 32 else [f'li x9, {-1 << index}',
                                       'vor.vx v29, v29, x9']
        mine = head + high + ours(sew, f'{op} {d}, (x1), v29')
        theirs = head + ['vmv.v.v v30, v29']
        if index < 32:
            theirs += pack('v30', 'v29', index)
        # v29 is temporary on both sides
        if load:
            return mine, theirs + saved(*at(sew, f'{op} v26, (x1), v30'),
                                        *unpack(d, sew, 'v26'))
        return mine, theirs + saved(*pack('v26', d, sew),
                                    *at(sew, f'{op} v26, (x1), v30'))
