/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of structures that race: run.py compiles each with every level. */

struct part {
    int a, b;
};

kernel void
structure_written(global struct part *out, global int *to)
{
    int i = get_global_id(0);
    struct part p = { i, i };
    out[i / 2] = p; /* race */
    to[i] = p.a;
}

kernel void
structure_read(global struct part *in, global int *to)
{
    int i = get_global_id(0);
    struct part p = { i, i };
    if (i & 1)
        in[i].b = i;
    else
        p = in[i + 1]; /* race */
    to[i] = p.b;
}

kernel void
structure_in_structure(global struct part *out, global int *to)
{
    struct {
        struct part p[2];
        int c;
    } whole;
    int i = get_global_id(0);
    whole.p[i & 1].a = whole.p[i & 1].b = whole.c = i;
    out[i / 2] = whole.p[i & 1]; /* race */
    to[i] = whole.c;
}
