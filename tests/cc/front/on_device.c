/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernels of accuracy.py on the functional machine: DEVICE is the linked
 * file, WIDTH the numbers that a work-item computes.
 */
#include <stdio.h>
#include <stdlib.h>

#include <ventus/dev.h>

enum { GROUP = 64 };

static void
must(bool ok, const char *kernel, const char *message)
{
    if (ok)
        return;
    fprintf(stderr, "%s: %s\n", kernel, message);
    exit(1);
}

static struct ventus_dev_program *
load(struct ventus_dev *d)
{
    static char elf[64 << 20];
    FILE *f = fopen(DEVICE, "rb");
    size_t n = f ? fread(elf, 1, sizeof elf, f) : 0;
    if (f)
        fclose(f);
    return ventus_dev_load(d, elf, n, DEVICE);
}

void
on_device(const char *kernel, void *o, const void *x, const void *y,
          const int *n, int count, size_t size);
void
on_device(const char *kernel, void *o, const void *x, const void *y,
          const int *n, int count, size_t size)
{
    static struct ventus_dev *d;
    static struct ventus_dev_program *p;
    static struct ventus_dev_result r;
    if (!d) {
        d = ventus_dev_open(&(struct ventus_dev_options){ .host_threads = 1 });
        p = d ? load(d) : NULL;
        must(p, DEVICE, ventus_dev_message());
    }
    size_t bytes = (size_t)count * size;
    uint64_t at[] = { ventus_dev_alloc(d, bytes, 0),
                      ventus_dev_alloc(d, bytes, 0),
                      ventus_dev_alloc(d, bytes, 0),
                      ventus_dev_alloc(d, (size_t)count * sizeof *n, 0) };
    struct ventus_dev_arg args[] = { ventus_dev_buffer(at[0]),
                                     ventus_dev_buffer(at[1]),
                                     ventus_dev_buffer(at[2]),
                                     ventus_dev_buffer(at[3]),
                                     ventus_dev_bytes(&count, sizeof count) };
    unsigned groups = (unsigned)(count / WIDTH + GROUP - 1) / GROUP;
    struct ventus_dev_launch launch = { .kernel = ventus_dev_find(p, kernel),
                                        .work_dim = 1,
                                        .global = { groups * GROUP },
                                        .local = { GROUP },
                                        .args = args,
                                        .n_args = sizeof args / sizeof *args };
    must(launch.kernel && ventus_dev_write(d, at[1], x, bytes) &&
             ventus_dev_write(d, at[2], y, bytes) &&
             ventus_dev_write(d, at[3], n, (size_t)count * sizeof *n),
         kernel, "is not there");
    must(ventus_dev_run(d, &launch, &r), kernel, r.message);
    must(ventus_dev_read(d, at[0], o, bytes), kernel, ventus_dev_message());
    for (int i = 0; i < 4; i++)
        ventus_dev_free(d, at[i]);
}
