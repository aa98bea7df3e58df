/* SPDX-License-Identifier: Apache-2.0 */
struct node {
    int key, left, right;
};

kernel void sums(global int *out, global const struct node *tree)
{
    int i = get_global_id(0);
    struct node own = tree[i]; /* the copy */
    int *left = &own.left;
    own.right += *left;
    out[i] = own.key + own.right; /* the sum */
}
