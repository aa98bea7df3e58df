/* SPDX-License-Identifier: Apache-2.0 */
int twice(int a)
{
    int r = a; /* the first line */
    r = r * 2;
    return r;
}

void bump(global int *p, int n)
{
    *p += n; /* the store */
}

int nested(int a)
{
    return twice(a) + 1; /* the inner call */
}

void say(int n)
{
    if (n < 0) /* of say */
        printf("%d\n", n);
}

kernel void steps(global int *out)
{
    int i = get_global_id(0);
    bump(out + i, 1);     /* without a result */
    int y = twice(i);     /* with one */
    y += nested(y);       /* of two */
    say(y);               /* never called, but inlined */
    out[i] = y;           /* the end */
}
