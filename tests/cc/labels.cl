/* Labels have records of their own in debug information. */
kernel void
labels(global int *out, int n)
{
    int i = get_global_id(0), rounds = 0;
again:
    rounds++;
    if (rounds < n + (i & 3))
        goto again;
    if (n > 100)
        goto end;
    out[i] = rounds;
end:
    out[i] += n;
}
