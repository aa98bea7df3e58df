/* SPDX-License-Identifier: Apache-2.0 */
/*
 * values_dev FILE.elf IN OUT: kernels k0, k1, ... that take four pointers to
 * BYTES each, three for reading; see builtin_values.py.  IN has for each
 * kernel the number of work-items and what it reads, OUT receives what the
 * last buffer holds.
 */
#include <stdio.h>
#include <stdlib.h>

#include <ventus/dev.h>

enum { BYTES = 4096, INPUTS = 3 };

static struct dev_program *
load(struct dev *d, const char *path)
{
    static char elf[64 << 20];
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(elf, 1, sizeof elf, f) : 0;
    if (f)
        fclose(f);
    return dev_load(d, elf, n, path);
}

int
main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    struct dev *d = dev_open(&(struct dev_options){ .host_threads = 1 });
    struct dev_program *p = d ? load(d, argv[1]) : NULL;
    FILE *in = fopen(argv[2], "rb"), *out = fopen(argv[3], "wb");
    if (!p || !in || !out) {
        fprintf(stderr, "%s\n", p ? "cannot open a file" : dev_message());
        return 1;
    }
    static char data[INPUTS * BYTES], result[BYTES];
    uint64_t at = dev_alloc(d, INPUTS * BYTES, 0), to = dev_alloc(d, BYTES, 0);
    struct dev_arg args[] = { dev_buffer(at), dev_buffer(at + BYTES),
                              dev_buffer(at + 2 * BYTES), dev_buffer(to) };
    struct dev_launch launch = { .work_dim = 1, .args = args, .n_args = 4 };
    unsigned items;
    for (int k = 0; fread(&items, 4, 1, in) == 1; k++) {
        char name[16];
        static struct dev_result r;
        snprintf(name, sizeof name, "k%d", k);
        launch.kernel = dev_find(p, name);
        launch.global[0] = launch.local[0] = items;
        bool ok = launch.kernel && fread(data, sizeof data, 1, in) == 1 &&
                  dev_write(d, at, data, sizeof data) &&
                  dev_run(d, &launch, &r) &&
                  dev_read(d, to, result, sizeof result);
        if (!ok) {
            fprintf(stderr, "%s: %s\n", name, dev_message());
            return 1;
        }
        fwrite(result, sizeof result, 1, out);
    }
    dev_close(d);
    return fclose(out) != 0;
}
