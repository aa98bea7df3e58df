# SPDX-License-Identifier: Apache-2.0
"""Functions of random kernels that take more than registers hold, of all types,
different for the lanes and the same for all, and return vectors, too."""

# Type; what a call passes, of v0, v1, w0 and a; what of it goes into v1.
PARAMETERS = [
    ('int', ['v0', 'a[5]', '77', 'v1 - 3'], 'E'),
    ('char', ['(char)v0', '(char)a[9]', '(char)-7'], '(uint)E'),
    ('uchar', ['(uchar)v1', '(uchar)200'], 'E'),
    ('ushort', ['(ushort)w0', '(ushort)a[1]'], 'E'),
    ('long', ['w0', '(long)a[3] << 33', 'w0 * 5u'], '(uint)(E ^ (E >> 32))'),
    ('bool', ['v0 > v1', 'a[2] > 0', 'true'], 'E'),
    ('float', ['(float)(v1 & 255)', '2.0f'], '(uint)(int)E'),
    ('int3', ['(int3)(v0, a[4], v1)', '(int3)(1, 2, a[6])'],
     '(E.x ^ E.z) + (uint)E.y'),
    ('ushort4', ['(ushort4)(1, (ushort)v0, 3, (ushort)v1)'], 'E.y * 3u ^ E.w'),
    ('ulong2', ['(ulong2)(w0, v1)', '(ulong2)(a[8], 3)'],
     '(uint)(E.x >> 7) ^ (uint)E.y'),
    ('float4', ['(float4)(v0 & 63, 1, v1 & 31, 4)'], '(uint)(int)(E.x + E.z)'),
    ('uint8', ['(uint8)(v0, 1, 2, a[7], 4, 5, v1, 7)'], 'E.s0 ^ E.s3 ^ E.s6'),
    ('int16', ['(int16)(v1)', '(int16)(a[10])'], 'E.s3 ^ E.sd'),
]
DOUBLES = [('double', ['(double)(v0 & 1023)', '0.5'], '(uint)(int)(E * 4)'),
           ('double2', ['(double2)(v1 & 511, 2)'], '(uint)(int)(E.x + E.y)')]
# What a function returns of an int r, and what a call takes of it.
RESULTS = [('int', 'r', '%s'), ('long', '(long)r << 20', '(int)(%s >> 20)'),
           ('ushort', '(ushort)r', '(int)%s'), ('bool', 'r > 3', '(int)%s'),
           ('uint4', '(uint4)(r, 1, r ^ 5, r + 2u)', '(int)(%s).s2'),
           ('long8', '(long8)(1, r, 3, 4, r, 6, 7, 8)', '(int)(%s).s4')]

FUNCTION = '''%s %s(int x, int y, global const int *a%s)
{
int v0 = x, v1 = y * 3u, p[8] = { 1, x, 2, y, 3, 4, 5, 6 };
long w0 = x;
%s%s
int r = v0 ^ v1 ^ p[x & 7] ^ (int)w0;
return %s;
}
'''


class Signature:
    """Of one function; text is what is called and what is defined."""

    def __init__(self, rng, doubles):
        kinds = PARAMETERS + DOUBLES * doubles
        self.result = rng.choice(RESULTS)
        self.params = [rng.choice(kinds) for _ in range(rng.randrange(12))]
        self.values = [rng.choice(p[1]) for p in self.params]

    def call(self, name):
        return self.result[2] % f'{name}(%s, %s, a' \
            f'{"".join(", " + v for v in self.values)})'

    def function(self, name, body):
        params = ''.join(f', {p[0]} e{k}' for k, p in enumerate(self.params))
        mix = ''.join(f'v1 = v1 * 5u ^ ({p[2].replace("E", f"e{k}")});\n'
                      for k, p in enumerate(self.params))
        return FUNCTION % (self.result[0], name, params, mix, body,
                           self.result[1])
