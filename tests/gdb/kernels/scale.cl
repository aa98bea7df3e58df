int square(int x)
{
    return x * x;
}

kernel void scale(global int *out, global const int *in, int factor)
{
    int i = get_global_id(0);
    int sum = 0;
    for (int k = 0; k <= i % 4; k++) {
        sum += in[i] * factor;
        sum += square(k);
    }
    out[i] = sum; /* the result */
}
