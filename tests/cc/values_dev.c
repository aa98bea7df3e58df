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

static struct ventus_dev_program *
load(struct ventus_dev *d, const char *path)
{
    static char elf[64 << 20];
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(elf, 1, sizeof elf, f) : 0;
    if (f)
        fclose(f);
    return ventus_dev_load(d, elf, n, path);
}

int
main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    struct ventus_dev *d =
        ventus_dev_open(&(struct ventus_dev_options){ .host_threads = 1 });
    struct ventus_dev_program *p = d ? load(d, argv[1]) : NULL;
    FILE *in = fopen(argv[2], "rb"), *out = fopen(argv[3], "wb");
    if (!p || !in || !out) {
        fprintf(stderr, "%s\n",
                p ? "cannot open a file" : ventus_dev_message());
        return 1;
    }
    static char data[INPUTS * BYTES], result[BYTES];
    uint64_t at = ventus_dev_alloc(d, INPUTS * BYTES, 0),
             to = ventus_dev_alloc(d, BYTES, 0);
    struct ventus_dev_arg args[] = { ventus_dev_buffer(at),
                                     ventus_dev_buffer(at + BYTES),
                                     ventus_dev_buffer(at + 2 * BYTES),
                                     ventus_dev_buffer(to) };
    struct ventus_dev_launch launch = { .work_dim = 1,
                                        .args = args,
                                        .n_args = 4 };
    unsigned items;
    for (int k = 0; fread(&items, 4, 1, in) == 1; k++) {
        char name[16];
        static struct ventus_dev_result r;
        snprintf(name, sizeof name, "k%d", k);
        launch.kernel = ventus_dev_find(p, name);
        launch.global[0] = launch.local[0] = items;
        bool ok = launch.kernel && fread(data, sizeof data, 1, in) == 1 &&
                  ventus_dev_write(d, at, data, sizeof data) &&
                  ventus_dev_run(d, &launch, &r) &&
                  ventus_dev_read(d, to, result, sizeof result);
        if (!ok) {
            fprintf(stderr, "%s: %s\n", name, ventus_dev_message());
            return 1;
        }
        fwrite(result, sizeof result, 1, out);
    }
    ventus_dev_close(d);
    return fclose(out) != 0;
}
