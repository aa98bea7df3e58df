__attribute__((noinline)) int deep(int x, int y)
{
    int t = x * y;
    return t + 5;
}

__attribute__((noinline)) int outer(int x)
{
    int before = x + 100;
    int r = deep(x, before);
    return r + before;
}

kernel void calls(global int *out, global const int *in)
{
    int i = get_global_id(0);
    out[i] = outer(in[i]); /* the call */
}
