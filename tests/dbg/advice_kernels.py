# SPDX-License-Identifier: Apache-2.0
"""Kernels of advice.py: for each rule one that it finds something in, and what its change
makes of it."""

# rule: (kernel that has the problem, line of it, kernel that has not, arguments
# of exec, those of the other if they differ)
KERNELS = {
    'scattered': ('''
kernel void k(global const int *a, global int *b)
{
    int i = get_global_id(0), sum = 0;
    for (int n = 0; n < 32; n++)
        sum += a[i * 32 + n];  // scattered
    b[i] = sum;
}
''', '''
kernel void k(global const int *a, global int *b)
{
    int i = get_global_id(0), sum = 0;
    for (int n = 0; n < 32; n++)
        sum += a[n * 128 + i];
    b[i] = sum;
}
''', '--grid 128 --local 64 --arg iota:4096 --arg zeros:128'),
    'banks': ('''
kernel void k(global int *a)
{
    local int t[32 * 32];
    int x = get_local_id(0), sum = 0;
    for (int i = 0; i < 32; i++)
        t[i * 32 + x] = i + x;
    for (int j = 0; j < 8; j++)
        for (int i = 0; i < 32; i++)
            sum += t[x * 32 + i] ^ j;  // banks
    a[get_global_id(0)] = sum;
}
''', '''
kernel void k(global int *a)
{
    local int t[32 * 32];
    int x = get_local_id(0), sum = 0;
    for (int i = 0; i < 32; i++)
        t[i * 32 + x] = i + x;
    for (int j = 0; j < 8; j++)
        for (int i = 0; i < 32; i++)
            sum += t[i * 32 + x] ^ j;
    a[get_global_id(0)] = sum;
}
''', '--grid 64 --local 32 --arg zeros:64'),
    'divergent': ('''
kernel void k(global int *a)
{
    int i = get_global_id(0), x = i;
    if (i & 1)  // divergent
        for (int n = 0; n < 64; n++)
            x = x * 5 + n;
    else
        for (int n = 0; n < 64; n++)
            x = x * 3 ^ n;
    a[i] = x;
}
''', '''
kernel void k(global int *a)
{
    int i = get_global_id(0), x = i;
    if (i & 64)
        for (int n = 0; n < 64; n++)
            x = x * 5 + n;
    else
        for (int n = 0; n < 64; n++)
            x = x * 3 ^ n;
    a[i] = x;
}
''', '--grid 128 --local 64 --arg zeros:128'),
    'workgroups': ('''
kernel void k(global int *a)
{
    int i = get_global_id(0), x = i;
    for (int n = 0; n < 200; n++)
        x = x * 5 + n;
    a[i] = x;
}
''', None, '--grid 64 --local 64 --arg zeros:64',
                   '--grid 64 --local 32 --arg zeros:64'),
    'latency': ('''
kernel void k(global int *a)
{
    int i = get_global_id(0), x = i;
    for (int n = 0; n < 200; n++)
        x = x * 5 + n;
    a[i] = x;
}
''', None, '--grid 16 --local 8 --arg zeros:512',
                '--grid 128 --local 64 --arg zeros:512'),
    'spills': ('''
kernel void k(global int *a)
{
    int i = get_global_id(0), t[300];
    _Pragma("unroll")
    for (int n = 0; n < 300; n++)
        t[n] = a[(i + n * 7) & 1023];  // spills
    barrier(CLK_GLOBAL_MEM_FENCE);
    _Pragma("unroll")
    for (int n = 0; n < 300; n++)
        a[(i + n * 7) & 1023] = t[n];  // spills
}
''', '''
kernel void k(global int *a)
{
    int i = get_global_id(0);
    for (int n = 0; n < 300; n++)
        a[(i + n * 7) & 1023] += n;
}
''', '--grid 64 --local 32 --arg zeros:1024'),
    'repeated': ('''
kernel void k(global int *a, global volatile int *b)
{
    int i = get_global_id(0), x = 0;
    for (int n = 0; n < 64; n++)
        x = x * 3 + b[0];  // repeated
    a[i] = x;
}
''', '''
kernel void k(global int *a, global volatile int *b)
{
    int i = get_global_id(0), x = 0, y = b[0];
    for (int n = 0; n < 64; n++)
        x = x * 3 + y;
    a[i] = x;
}
''', '--grid 16 --local 8 --arg zeros:16 --arg iota:16'),
    'barrier': ('''
kernel void k(global int *a)
{
    local int t[64];
    int l = get_local_id(0), x = l;
    if (l < 8)
        for (int n = 0; n < 496; n++)
            x = x * 3 + n;
    t[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);  // barrier
    a[get_global_id(0)] = t[63 - l];
}
''', '''
kernel void k(global int *a)
{
    local int t[64];
    int l = get_local_id(0), x = l;
    for (int n = 0; n < 62; n++)
        x = x * 3 + n;
    t[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = t[63 - l];
}
''', '--grid 128 --local 64 --arg zeros:128'),
    'misses': ('''
kernel void k(global const int *a, global int *b)
{
    int i = get_global_id(0), x = 0;
#pragma unroll
    for (int n = 0; n < 8; n++)
        x += a[(i + n * 128) * 32];  // misses
    b[i] = x;
}
''', '''
kernel void k(global const int *a, global int *b)
{
    int i = get_global_id(0), x = 0;
#pragma unroll
    for (int n = 0; n < 8; n++)
        x += a[i + n * 128];
    b[i] = x;
}
''', '--grid 128 --local 64 --arg iota:32768 --arg zeros:128'),
    'ends': ('''
kernel void k(global const int *a, global int *b)
{
    int i = get_global_id(0);
    b[i] = a[i] + 1;
}
''', '''
kernel void k(global const int *a, global int *b)
{
    for (int i = get_global_id(0); i < 4096; i += get_global_size(0))
        b[i] = a[i] + 1;
}
''', '--grid 4096 --local 64 --arg iota:4096 --arg zeros:4096',
             '--grid 128 --local 64 --arg iota:4096 --arg zeros:4096'),
    'bandwidth': ('''
kernel void k(global const int4 *a, global int4 *b)
{
    int i = get_global_id(0);
    b[i] = a[i] + 1;
}
''', '''
kernel void k(global const int4 *a, global int4 *b)
{
    int i = get_global_id(0);
    int4 x = a[i];
    for (int n = 0; n < 100; n++)
        x = x * 3 + n;
    b[i] = x;
}
''', '--grid 8192 --local 64 --arg iota:32768 --arg zeros:32768'),
}
KERNELS['atomics'] = ('''
kernel void k(global const int *a, global int *sum)
{
    int i = get_global_id(0);
    for (int n = 0; n < 32; n++)
        atomic_add(sum, a[n * 128 + i]);  // atomics
}
''', '''
kernel void k(global const int *a, global int *sum)
{
    local int all;
    int i = get_global_id(0), part = 0;
    if (get_local_id(0) == 0)
        all = 0;
    for (int n = 0; n < 32; n++)
        part += a[n * 128 + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&all, part);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_add(sum, all);
}
''', '--grid 128 --local 64 --arg iota:4096 --arg zeros:1')
KERNELS['vectors'] = ('''
kernel void k(global const float *a, global float *b)
{
    for (int i = get_global_id(0); i < 16384; i += get_global_size(0))
        b[i] = a[i] * 2.0f;  // vectors
}
''', '''
kernel void k(global const float4 *a, global float4 *b)
{
    for (int i = get_global_id(0); i < 4096; i += get_global_size(0))
        b[i] = a[i] * 2.0f;
}
''', '--grid 128 --local 64 --arg fiota:16384 --arg zeros:16384')
MODELS = {'bandwidth': 'rtl-verilog'}
FASTER = ('scattered', 'banks', 'divergent', 'workgroups', 'spills', 'repeated',
          'barrier', 'misses', 'ends', 'atomics', 'vectors')

# What the rule says, and what its change gains.
GAINS = {'scattered': (2.32, 2.16), 'banks': (1.25, 1.07), 'divergent': (1.94, 1.97),
         'workgroups': (2.0, 1.8), 'spills': (1.26, 1.63), 'repeated': (1.4, 1.59),
         'barrier': (2.51, 2.34), 'misses': (4.33, 4.4), 'ends': (72.8, 63.7),
         'atomics': (12.6, 14.2), 'vectors': (2.04, 1.63)}

# Rules whose bound was two to four times what the best change gained.
CLOSE = ('barrier', 'ends')

# Other pairs: rule, kernel, arguments; the changed kernel, arguments.
TRANSPOSE = '--arg fiota:16384 --arg zeros:16384 --arg i32:128 --arg i32:128'
TRANSPOSED = '''
kernel void k(global const float *in, global float *out, int w, int h)
{
    int n = w * h;
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        int x = i % w, y = i / w;
        out[x * h + y] = in[i];  // scattered
    }
}
'''
TREE = '''
    t[l] = s0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 1; s < get_local_size(0); s *= 2) {
        if (l % (2 * s) == 0)
            t[l] += t[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        atomic_add(out, t[0]);
}
'''
REDUCE = '''
kernel void k(global const int *in, global int *out, int n)
{
    local int t[64];
    int l = get_local_id(0), s0 = 0;
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        s0 += in[i];
''' + TREE
SAXPY = '--local 64 --arg fiota:8192 --arg fiota:8192 --arg zeros:8192 --arg f32:2'
HORNER = '''
        int x = a[i];
        for (int j = 0; j < 20; j++)
            x = x * 3 + j;
        b[i] = x;
'''
UNEQUAL = '''
kernel void k(global int *a, global const int *c)
{
    local int t[64];
    int l = get_local_id(0), x = l;
#pragma unroll 1
    for (int n = NUMBER; n; n--)
        x += c[n * WIDTH + l];
    t[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);  // barrier
    a[get_global_id(0)] = t[63 - l];
}
'''
ROUNDS = '''
kernel void k(global int *a)
{
    local int t[64];
    int l = get_local_id(0), x = l;
    for (int r = 0; r < 4; r++) {
#pragma unroll 1
        for (int n = NUMBER; n; n--)
            x = x * 3 + n;
        t[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);  // barrier
        x += t[63 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[get_global_id(0)] = x;
}
'''
PAIRS = (
    ('ends', '''
kernel void k(global const float *in, global float *out, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[x * h + y] = in[y * w + x];
}
''', f'--grid 128,128 --local 16,4 {TRANSPOSE}',
     TRANSPOSED, f'--grid 128 --local 64 {TRANSPOSE}'),
    ('ends', REDUCE, '--grid 16384 --local 64 --arg iota:16384 --arg zeros:1 --arg i32:16384',
     REDUCE, '--grid 128 --local 64 --arg iota:16384 --arg zeros:1 --arg i32:16384'),
    ('ends', '''
kernel void k(global const float *a, global const float *b, global float *c, float x)
{
    int i = get_global_id(0);
    c[i] = a[i] * x + b[i];
}
''', f'--grid 8192 {SAXPY}', '''
kernel void k(global const float *a, global const float *b, global float *c, float x)
{
    for (int i = get_global_id(0); i < 8192; i += get_global_size(0))
        c[i] = a[i] * x + b[i];
}
''', f'--grid 128 {SAXPY}'),
    ('ends', f'kernel void k(global const int *a, global int *b)\n{{\n'
     f'    int i = get_global_id(0);\n{HORNER}}}\n',
     '--grid 4096 --local 64 --arg iota:4096 --arg zeros:4096',
     f'kernel void k(global const int *a, global int *b)\n{{\n'
     f'    for (int i = get_global_id(0); i < 4096; i += get_global_size(0)) {{\n{HORNER}    }}\n}}\n',
     '--grid 128 --local 64 --arg iota:4096 --arg zeros:4096'),
    ('barrier', ROUNDS.replace('NUMBER', 'l < 16 ? 120 : 0'),
     '--grid 128 --local 64 --arg zeros:128', ROUNDS.replace('NUMBER', '30'),
     '--grid 128 --local 64 --arg zeros:128'),
    ('barrier', UNEQUAL.replace('NUMBER', 'l < 8 ? 160 : 0').replace('WIDTH', '8'),
     '--grid 128 --local 64 --arg zeros:128 --arg iota:2048',
     UNEQUAL.replace('NUMBER', '20').replace('WIDTH', '64'),
     '--grid 128 --local 64 --arg zeros:128 --arg iota:2048'),
    ('scattered', TRANSPOSED, f'--grid 128 --local 64 {TRANSPOSE}', '''
kernel void k(global const float *restrict in, global float *restrict out, int w, int h)
{
    local float t[32 * 32];
    int l = get_local_id(0), lx = l & 31, ly = l >> 5, tw = w / 32, n = tw * (h / 32);
    for (int b = get_group_id(0); b < n; b += get_num_groups(0)) {
        int x = (b % tw) * 32, y = (b / tw) * 32;
        for (int r = ly; r < 32; r += 2)
            t[r * 32 + lx] = in[(y + r) * w + x + lx];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int r = ly; r < 32; r += 2)
            out[(x + r) * h + y + lx] = t[lx * 32 + r];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
''', f'--grid 128 --local 64 {TRANSPOSE}'),
    ('scattered', '''
kernel void k(global const int *in, global int *out, int n)
{
    int g = get_global_id(0), per = n / get_global_size(0), s = 0;
    for (int i = 0; i < per; i++)
        s += in[g * per + i];  // scattered
    out[g] = s;
}
''', '--grid 128 --local 64 --arg iota:16384 --arg zeros:128 --arg i32:16384', '''
kernel void k(global const int *in, global int *out, int n)
{
    int g = get_global_id(0), per = n / get_global_size(0), s = 0;
    for (int i = 0; i < per; i++)
        s += in[i * get_global_size(0) + g];
    out[g] = s;
}
''', '--grid 128 --local 64 --arg iota:16384 --arg zeros:128 --arg i32:16384'),
    ('vectors', REDUCE, '--grid 128 --local 64 --arg iota:16384 --arg zeros:1 --arg i32:16384',
     '''
kernel void k(global const int4 *in, global int *out, int n)
{
    local int t[64];
    int l = get_local_id(0), s0;
    int4 v = 0;
    for (int i = get_global_id(0); i < n / 4; i += get_global_size(0))
        v += in[i];
    s0 = v.x + v.y + v.z + v.w;
''' + TREE, '--grid 128 --local 64 --arg iota:16384 --arg zeros:1 --arg i32:16384'),
    ('atomics', '''
kernel void k(global const uchar *a, global int *bins)
{
    for (int i = get_global_id(0); i < 4096; i += get_global_size(0))
        atomic_inc(&bins[a[i] & 15]);  // atomics
}
''', '--grid 128 --local 64 --arg iota:1024 --arg zeros:16', '''
kernel void k(global const uchar *a, global int *bins)
{
    local int own[16];
    int l = get_local_id(0);
    if (l < 16)
        own[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < 4096; i += get_global_size(0))
        atomic_inc(&own[a[i] & 15]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16)
        atomic_add(&bins[l], own[l]);
}
''', '--grid 128 --local 64 --arg iota:1024 --arg zeros:16'),
)
