/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of the device library that have one right answer, on the
 * simulated device against MPFR: OpenCL 3.0, 7.4 asks for correctly rounded or
 * exact results of them, in half, float and double.
 *
 *     cc_exact KERNELS.elf [COUNT [SEED [NAME]]]
 *
 * Besides COUNT random operand tuples each function has all corners crossed, or
 * as many of them.  kernels.py writes the kernels and the table of them.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ventus/dev.h>

#include "exact.h"
#include "operands.h"

enum { CHUNK = 1 << 14, GROUP = 64, BUFFERS = 6 };

/* Results, operands, and what the kernel makes of them: bits in 64. */
static struct batch {
    uint64_t result[CHUNK], a[CHUNK], b[CHUNK], c[CHUNK];
    int32_t second[CHUNK], k[CHUNK];
} batch;

static struct ventus_dev *device;
static struct ventus_dev_program *program;
static uint64_t at[BUFFERS], compared[3];
static unsigned long failures;

static void
must(bool ok, const char *what, const char *message)
{
    if (ok)
        return;
    fprintf(stderr, "%s: %s\n", what, message);
    exit(1);
}

static void
open_device(const char *path)
{
    static char elf[16 << 20];
    FILE *f = fopen(path, "rb");
    must(f != NULL, path, "cannot be opened");
    size_t n = fread(elf, 1, sizeof elf, f);
    fclose(f);
    device = ventus_dev_open(&(struct ventus_dev_options){ .host_threads = 1 });
    must(device != NULL, "device", ventus_dev_message());
    program = ventus_dev_load(device, elf, n, path);
    must(program != NULL, path, ventus_dev_message());
    for (unsigned i = 0; i < BUFFERS; i++)
        at[i] = ventus_dev_alloc(device, sizeof batch.a, 0);
}

static void
run(const char *kernel, int count)
{
    static struct ventus_dev_result r;
    struct ventus_dev_arg args[BUFFERS + 1];
    void *const data[BUFFERS] = { batch.result, batch.second, batch.a,
                                  batch.b,      batch.c,      batch.k };
    for (unsigned i = 0; i < BUFFERS; i++) {
        bool narrow = i == 1 || i == 5;
        size_t size = (size_t)count * (narrow ? sizeof(int32_t) : 8);
        args[i] = ventus_dev_buffer(at[i]);
        must(ventus_dev_write(device, at[i], data[i], size), kernel,
             ventus_dev_message());
    }
    args[BUFFERS] = ventus_dev_bytes(&count, sizeof count);
    unsigned groups = (unsigned)(count + GROUP - 1) / GROUP;
    struct ventus_dev_launch launch = { .kernel =
                                            ventus_dev_find(program, kernel),
                                        .work_dim = 1,
                                        .global = { groups * GROUP },
                                        .local = { GROUP },
                                        .args = args,
                                        .n_args = BUFFERS + 1 };
    must(launch.kernel != NULL, kernel, "is not there");
    must(ventus_dev_run(device, &launch, &r), kernel, r.message);
    must(ventus_dev_read(device, at[0], batch.result, (size_t)count * 8) &&
             ventus_dev_read(device, at[1], batch.second, (size_t)count * 4),
         kernel, ventus_dev_message());
}

/* ---- comparison ---- */

static void
check_one(const struct kernel *k, int i)
{
    const struct exact_operands in = { { batch.a[i], batch.b[i], batch.c[i] },
                                       batch.k[i] };
    struct exact_result right = exact_result(k, &in);
    uint64_t ours = batch.result[i];
    bool same = ours == right.bits ||
                (right.any_nan && exact_is_nan(k->to, ours)) ||
                (right.either_zero && exact_is_zero(k->to, ours));
    if (k->function == F_ilogb || k->function == F_frexp ||
        k->function == F_remquo)
        same &= exact_second_fits(k->function, batch.second[i], &right);
    compared[(k->function == F_integer ? k->from : k->to) / 32]++;
    if (same)
        return;
    printf("%s: %" PRIx64 " %" PRIx64 " %" PRIx64 ", %d: %" PRIx64
           " and %d, MPFR has %" PRIx64 " and %d\n",
           k->name, batch.a[i], batch.b[i], batch.c[i], batch.k[i], ours,
           batch.second[i], right.bits, right.second);
    failures++;
}

/* ---- operands ---- */

static void
fill(struct operands *o, const struct kernel *k, int i, const uint64_t abc[3])
{
    uint64_t low = UINT64_MAX >> (64 - k->from), r = fp_random(&o->random);
    batch.a[i] = abc[0] & low;
    batch.b[i] = abc[1] & low;
    batch.c[i] = abc[2] & low;
    batch.k[i] = r & 1 ? (int32_t)(r >> 32) >> (r >> 8) % 32
                       : (int32_t)((r >> 32) % 4300) - 2150;
}

static void
check(const struct kernel *k, uint64_t total, uint64_t seed, bool crossed)
{
    struct operands o = {
        .random = { seed }, .row = exact_row(k), .from = k->from, .to = k->to
    };
    uint64_t tuples = operands_count(&o), done = 0;
    uint64_t step = crossed && tuples > total ? tuples / total | 1 : 1;
    if (crossed && tuples < total)
        total = tuples;
    while (done < total) {
        int n = total - done < CHUNK ? (int)(total - done) : CHUNK;
        for (int i = 0; i < n; i++, done++) {
            uint64_t abc[3];
            if (crossed)
                operands_crossed(&o, done * step, abc);
            else
                operands_random(&o, abc);
            fill(&o, k, i, abc);
        }
        run(k->name, n);
        unsigned long before = failures;
        for (int i = 0; i < n && failures < before + 3; i++)
            check_one(k, i);
        if (failures > before)
            return;
    }
}

int
main(int argc, char **argv)
{
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 0) : 1000;
    uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
    unsigned n = 0;
    must(argc > 1, "usage", "cc_exact KERNELS.elf [COUNT [SEED [NAME]]]");
    open_device(argv[1]);
    for (const struct kernel *k = exact_kernels; k->name; k++) {
        if (argc > 4 && strcmp(argv[4], k->name) != 0)
            continue;
        check(k, count, seed + n++, true);
        check(k, count, (seed + n) * 0x9e3779b97f4a7c15u, false);
    }
    ventus_dev_close(device);
    exact_free();
    printf("%u functions, results: %" PRIu64 " of binary16, %" PRIu64
           " of binary32, %" PRIu64 " of binary64, %lu differ\n",
           n, compared[0], compared[1], compared[2], failures);
    return failures || !n;
}
