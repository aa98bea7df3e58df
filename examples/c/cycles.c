/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts the cycles of a kernel on a machine that has time: of all work-items of
 * ../vecadd.s, for each number of them, and what its issue slots went to.
 *
 *     ./cycles vecadd.elf chisel
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ventus/dev.h>

enum { N = 256 };

static struct ventus_dev_program *
load(struct ventus_dev *d, const char *path)
{
    static char image[1 << 20];
    FILE *f = fopen(path, "rb");
    if (!f) {
        perror(path);
        exit(1);
    }
    size_t size = fread(image, 1, sizeof image, f);
    fclose(f);
    return ventus_dev_load(d, image, size, path);
}

static uint64_t
counter(const struct ventus_dev_counters *c, const char *name)
{
    for (unsigned i = 0; i < c->n; i++)
        if (strcmp(c->at[i].name, name) == 0)
            return c->at[i].value;
    return 0;
}

/* Caches keep what a launch leaves in them, so each one begins on a device that is
 * as new. */
static bool
count(struct ventus_dev *d, const char *path, unsigned n)
{
    struct ventus_dev_arg args[3];
    const struct ventus_dev_program *program =
        ventus_dev_reset(d) ? load(d, path) : NULL;
    const struct ventus_dev_kernel *kernel =
        program ? ventus_dev_find(program, "vecadd") : NULL;
    if (!kernel)
        return false;
    for (int i = 0; i < 3; i++) {
        uint64_t address = ventus_dev_alloc(d, N * sizeof(float), 0);
        if (!address)
            return false;
        args[i] = ventus_dev_buffer(address);
    }
    struct ventus_dev_launch launch = {
        .kernel = kernel,
        .work_dim = 1,
        .global = { n },
        .local = { ventus_dev_setting(d, "num_thread") },
        .args = args,
        .n_args = 3,
        .stats = true,
    };
    static struct ventus_dev_result r;
    if (!ventus_dev_run(d, &launch, &r))
        return false;
    printf("%3u work-items: %5llu cycles, %llu instructions issued, %llu slots "
           "waited for memory\n",
           n, (unsigned long long)r.cycles,
           (unsigned long long)counter(&r.counters, "issued"),
           (unsigned long long)counter(&r.counters, "memory"));
    return true;
}

int
main(int argc, char **argv)
{
    if (argc < 2)
        return fputs("usage: cycles FILE.elf [PRESET]\n", stderr), 2;
    struct ventus_dev_options options = { .config =
                                              argc > 2 ? argv[2] : "chisel" };
    struct ventus_dev *d = ventus_dev_open(&options);
    bool ok = d != NULL;
    for (unsigned n = 8; ok && n <= N; n *= 4)
        ok = count(d, argv[1], n);
    if (!ok)
        fprintf(stderr, "cycles: %s\n", ventus_dev_message());
    ventus_dev_close(d);
    return !ok;
}
