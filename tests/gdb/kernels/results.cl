/* SPDX-License-Identifier: Apache-2.0 */
typedef struct {
    int a;
    char b;
} pair;
typedef enum { RED = -3, BLUE = 7 } colour;
#ifndef NI
#define NI __attribute__((noinline))
#endif

NI char a_char(int n)
{
    return (char)(n - 100);
}

NI uchar a_uchar(int n)
{
    return (uchar)(n + 250);
}

NI short3 a_short3(int n)
{
    return (short3)(n, -n, 300);
}

NI bool a_bool(int n)
{
    return n > 2;
}

NI long a_long(int n)
{
    return (long)n << 40 | 5;
}

NI ulong3 a_long3(int n)
{
    return (ulong3)((ulong)n << 33, 7, 9);
}

NI char16 a_char16(int n)
{
    return (char16)((char)n) -
           (char16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

NI float a_float(float n)
{
    return n * 1.5f;
}

NI global int *a_pointer(global int *p, int n)
{
    return p + n;
}

NI colour a_colour(int n)
{
    return n > 2 ? RED : BLUE;
}

NI int16 an_int16(int n)
{
    return (int16)(n) * 3;
}

NI int seven(int n)
{
    return 7;
}

NI pair a_pair(int n)
{
    pair p = { n, 'x' };
    return p;
}

NI void nothing(global int *p, int n)
{
    p[n] = 5;
}

NI int inner(int n)
{
    int r = seven(n);
    return r;
}

NI int outer(int n)
{
    return inner(n) + 1;
}

kernel void results(global int *p, global long *q)
{
    int i = get_global_id(0);
    char c = a_char(i);
    uchar u = a_uchar(i);
    short3 s = a_short3(i);
    bool b = a_bool(i);
    long l = a_long(i);
    ulong3 l3 = a_long3(i);
    char16 c16 = a_char16(i);
    float f = a_float(i);
    global int *g = a_pointer(p, i);
    colour e = a_colour(i);
    int16 i16 = an_int16(i);
    int sv = seven(i) + outer(i);
    pair pr = a_pair(i);
    nothing(p, i);
    q[i] = c + u + s.x + s.y + s.z + b + l + l3.x + l3.y + c16.s0 +
           c16.sf + f + *g + e + i16.s7 + sv + pr.a;
}
