/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a kernel: c[i] = a[i] + b[i], ../vecadd.s, which is linked to an ELF file.
 *
 *     ./run vecadd.elf
 */
#include <stdio.h>
#include <stdlib.h>

#include <ventus/dev.h>
#include <ventus/version.h>

enum { N = 100 };

static int
fail(struct ventus_dev *d)
{
    fprintf(stderr, "run: %s\n", ventus_dev_message());
    ventus_dev_close(d);
    return 1;
}

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

static bool
add(struct ventus_dev *d, const struct ventus_dev_kernel *kernel,
    const float *a, const float *b, float *c)
{
    uint64_t at[3];
    for (int i = 0; i < 3; i++)
        if (!(at[i] = ventus_dev_alloc(d, N * sizeof *a, 0)))
            return false;
    struct ventus_dev_arg args[] = { ventus_dev_buffer(at[0]),
                                     ventus_dev_buffer(at[1]),
                                     ventus_dev_buffer(at[2]) };
    struct ventus_dev_launch launch = {
        .kernel = kernel,
        .work_dim = 1,
        .global = { N },
        .local = { 32 },
        .args = args,
        .n_args = 3,
    };
    struct ventus_dev_result result;
    return ventus_dev_write(d, at[0], a, N * sizeof *a) &&
           ventus_dev_write(d, at[1], b, N * sizeof *b) &&
           ventus_dev_run(d, &launch, &result) &&
           ventus_dev_read(d, at[2], c, N * sizeof *c);
}

int
main(int argc, char **argv)
{
    if (argc < 2)
        return fputs("usage: run FILE.elf\n", stderr), 2;
    float a[N], b[N], c[N];
    for (int i = 0; i < N; i++) {
        a[i] = (float)i / 2;
        b[i] = (float)(N - i);
    }
    struct ventus_dev *d = ventus_dev_open(NULL);
    if (!d)
        return fail(d);
    const struct ventus_dev_program *p = load(d, argv[1]);
    const struct ventus_dev_kernel *k = p ? ventus_dev_find(p, "vecadd") : NULL;
    if (!k || !add(d, k, a, b, c))
        return fail(d);
    int right = 0;
    for (int i = 0; i < N; i++)
        right += c[i] == a[i] + b[i];
    printf("version %s: %d of %d sums are right\n", ventus_version(), right, N);
    ventus_dev_close(d);
    return right != N;
}
