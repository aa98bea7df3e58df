kernel void choose(global int *out, global const int *in) { int i = get_global_id(0), n = in[i];
    switch (n) {
    case 1: out[i] = 5; break;
    case 3: out[i] = 6; break;
    case 6: out[i] = 7; break;
    default: out[i] = n; break; /* the default */
    }
}
