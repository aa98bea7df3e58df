/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What variables hold at certain lines (variables.py).  With -DINSTRUMENTED a
 * PROBE stores number, size and bytes of its variables; else it stores a
 * number, and the test looks up its variables there as a debugger does.
 */
#define IO __global uint *trace, volatile __global int *mark
#define PASS trace, mark
#define CAP 4096 /* words of a work-item */

#ifdef INSTRUMENTED
void save(__global uint *trace, uint k, private const void *at, uint n)
{
    __global uint *to = trace + CAP * get_global_id(0);
    private const uchar *from = at;
    to[1 + to[0]++] = k;
    to[1 + to[0]++] = n;
    for (uint i = 0; i < n; i += 4) {
        uint w = 0;
        for (uint j = 0; j < 4 && i + j < n; j++)
            w |= (uint)from[i + j] << 8 * j;
        to[1 + to[0]++] = w;
    }
}
#define SAVE(k, a) save(trace, k, (private const void *)&a, sizeof a)
#define PROBE1(k, a) SAVE(k, a)
#define PROBE2(k, a, b) do { SAVE(k, a); SAVE(k, b); } while (0)
#define PROBE3(k, a, b, c) do { SAVE(k, a); PROBE2(k, b, c); } while (0)
#define PROBE4(k, a, b, c, d) do { PROBE2(k, a, b); PROBE2(k, c, d); } while (0)
#define PROBE5(k, a, b, c, d, e) do { SAVE(k, a); PROBE4(k, b, c, d, e); } while (0)
#define PROBE6(k, a, b, c, d, e, f) do { PROBE3(k, a, b, c); PROBE3(k, d, e, f); } while (0)
#else
#define PROBE(k) mark[get_global_id(0)] = k
#define PROBE1(k, a) PROBE(k)
#define PROBE2(k, a, b) PROBE(k)
#define PROBE3(k, a, b, c) PROBE(k)
#define PROBE4(k, a, b, c, d) PROBE(k)
#define PROBE5(k, a, b, c, d, e) PROBE(k)
#define PROBE6(k, a, b, c, d, e, f) PROBE(k)
#endif

struct pair { short first; long second; float4 third; };
enum color { RED = 1, GREEN = -7 };

__kernel void scalars(IO, int n)
{
    int gid = get_global_id(0);
    char c = (char)(gid * 77);
    uchar u = (uchar)(gid * 91 + 3);
    short s = (short)(gid * -1000);
    bool odd = gid & 1;
    PROBE6(1, n, gid, c, u, s, odd);
    long l = (long)gid * -3000000000L + n;
    ulong m = (ulong)l ^ 0x123456789abcdefUL;
    float f = (float)gid / 3.0f;
    enum color e = odd ? RED : GREEN;
    PROBE5(2, l, m, f, e, s);
    c++;
    u += c;
    s = s * u;
    l = l - s;
    f = f + 1.5f;
    PROBE6(3, c, u, s, l, f, m);
    int constant_value = 42;
    float real = 2.5f;
    PROBE3(4, constant_value, real, n);
    constant_value = gid;
    mark[gid] = constant_value + (int)(l + m) + (int)f + e + c + (int)real;
}

__kernel void vectors(IO, int n)
{
    int gid = get_global_id(0);
    float4 q = (float4)(gid, gid + 1, gid * 2, n);
    int3 i3 = (int3)(gid, -gid, n);
    char4 c4 = (char4)(1, 2, gid, -gid);
    long2 l2 = (long2)(gid * 5000000000L, -n);
    PROBE5(1, gid, q, i3, c4, l2);
    q = q.wzyx * 2.0f;
    i3.y = gid + n;
    c4.s1 = c4.s2 + 1;
    l2 += l2.yx;
    PROBE4(2, q, i3, c4, l2);
    uchar16 big = (uchar16)((uchar)gid);
    big.s3 = 200;
    PROBE2(3, big, q);
    mark[gid] = (int)(q.x + i3.y + c4.s1 + l2.x + big.s3 + big.s4);
}

__kernel void loops(IO, int n)
{
    int gid = get_global_id(0);
    int sum = 0;
    for (int i = 0; i < n; i++) {
        int square = i * i + gid;
        PROBE4(1, i, sum, square, gid);
        sum += square;
    }
    PROBE2(2, sum, n);
    int steps = 0;
    uint x = gid + 1;
    while (x != 1 && steps < 9) {
        if (x & 1) {
            uint y = 3 * x + 1;
            PROBE3(3, x, y, steps);
            x = y;
        } else {
            x = x / 2;
            PROBE2(4, x, steps);
        }
        steps++;
        if (steps == gid)
            break;
    }
    PROBE3(5, x, steps, sum);
    int found = -1;
    for (int i = 0; i < 8; i++) {
        if ((i * 5 + n) % 8 == (gid & 7)) {
            found = i;
            PROBE2(6, found, i);
            break;
        }
    }
    PROBE2(7, found, sum);
    mark[gid] = found + sum + x + steps;
}

int scaled(IO, int value, int by)
{
    int result = value * by;
    if (result > 20) {
        int over = result - 20;
        PROBE4(1, value, by, result, over);
        result = 20 - over;
    }
    PROBE3(2, value, by, result);
    return result;
}

int twice(IO, int value)
{
    int once = scaled(PASS, value, 3);
    PROBE2(3, value, once);
    int again = scaled(PASS, once, 2);
    PROBE3(4, value, once, again);
    return again;
}

__kernel void inlined(IO, int n)
{
    int gid = get_global_id(0);
    int a = twice(PASS, gid);
    PROBE2(5, a, gid);
    int b = twice(PASS, a + n);
    PROBE3(6, a, b, n);
    {
        int a = b * 2;
        PROBE2(7, a, b);
        b += a;
    }
    PROBE2(8, a, b);
    mark[gid] = a + b;
}

__attribute__((noinline)) int called(IO, int value, int by)
{
    int result = value * by + 1;
    PROBE3(1, value, by, result);
    for (int i = 0; i < by; i++) {
        result ^= i << value % 8;
        PROBE3(2, value, result, i);
    }
    return result;
}

__kernel void calls(IO, int n)
{
    int gid = get_global_id(0);
    int a = called(PASS, gid, 3);
    PROBE3(3, a, gid, n);
    int b = called(PASS, a, n);
    PROBE4(4, a, b, gid, n);
    mark[gid] = a + b;
}

__kernel void memory(IO, int n)
{
    __local int tile[8];
    int gid = get_global_id(0), lid = get_local_id(0);
    int table[6];
    for (int i = 0; i < 6; i++)
        table[i] = i * gid;
    tile[lid & 7] = gid;
    barrier(CLK_LOCAL_MEM_FENCE);
    PROBE3(1, table, gid, lid);
    table[gid % 6] = n;
    struct pair p;
    p.first = (short)gid;
    p.second = (long)n << 33;
    p.third = (float4)(gid);
    PROBE3(2, table, p, lid);
    p.second += table[n % 6];
    p.third.y = tile[(lid + 1) & 7];
    PROBE2(3, p, gid);
    mark[gid] = (int)(p.second + (long)p.third.y + p.first + table[2]);
}

/* Stores to members and elements that are overwritten before they are read. */
struct parts { int first, second; int many[4]; long last; };

__kernel void removed(IO, int n)
{
    int gid = get_global_id(0);
    struct parts p;
    int sum = 0;
    p.first = gid;
    p.second = n;
    p.last = -1;
    for (int i = 0; i < 4; i++)
        p.many[i] = i + n;
    PROBE2(1, p, gid);
    p.first = gid + 7;
    p.second = n * 3;
    PROBE2(2, p, gid);
    if (gid & 1) {
        p.first = n;
        p.many[gid & 3] = gid;
        PROBE2(3, p, gid);
        p.second = 4;
    }
    p.last = (long)gid << 40;
    PROBE2(4, p, gid);
    for (int i = 0; i < n; i++) {
        p.first = i;
        sum += p.many[(i + gid) & 3];
        PROBE2(5, p, sum);
        p.many[1] = sum;
    }
    PROBE2(6, p, sum);
    p.many[n & 3] = 0;
    p.many[0] = p.many[1] = p.many[2] = p.many[3] = gid * 5;
    PROBE2(7, p, sum);
    mark[gid] = p.many[(gid + n) & 3] + sum;
}

__attribute__((noinline)) int removed_there(IO, int n, int k)
{
    struct parts p;
    p.first = k;
    p.second = 5;
    for (int i = 0; i < 4; i++)
        p.many[i] = i * k;
    PROBE3(1, p, n, k);
    p.first = p.many[k & 3];
    p.second = n;
    PROBE3(2, p, n, k);
    p.many[n & 3] = k;
    p.second += p.many[(k + n) & 3];
    PROBE3(3, p, n, k);
    return p.second + p.first;
}

__kernel void calls_removed(IO, int n)
{
    int gid = get_global_id(0);
    int a = removed_there(PASS, n, gid);
    PROBE2(4, a, gid);
    int b = removed_there(PASS, a, 3);
    PROBE2(5, a, b);
    mark[gid] = a + b;
}

/* Registers without a number, and spilled ones of both kinds. */
__kernel void pressure(IO, int n)
{
    int gid = get_global_id(0);
    int a[290], b[70];
    a[0] = gid;
    b[0] = n;
    #pragma unroll
    for (int i = 1; i < 70; i++)
        b[i] = b[i - 1] * 1103515245 + 12345;
    #pragma unroll
    for (int i = 1; i < 290; i++)
        a[i] = a[i - 1] * 69069 + i;
    int p = a[3], q = a[150], r = a[289], u = b[5], w = b[60];
    PROBE6(1, p, q, r, u, w, gid);
    int sum = 0;
    #pragma unroll
    for (int i = 0; i < 70; i++)
        sum = sum * 3 + b[69 - i];
    PROBE6(2, sum, p, q, r, u, w);
    #pragma unroll
    for (int i = 0; i < 290; i++)
        sum = sum * 5 + a[289 - i];
    PROBE5(3, sum, p, q, u, w);
    int last = sum * p + q - r * u + w;
    PROBE3(4, last, p, r);
    mark[gid] = last;
}
