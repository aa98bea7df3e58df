/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Watches a kernel step by step: each instruction of the first warp of
 * ../vecadd.s, its active lanes, and where its lanes load and store.
 *
 *     ./steps vecadd.elf
 */
#include <stdio.h>
#include <stdlib.h>

#include <ventus/dev.h>
#include <ventus/isa.h>
#include <ventus/sim.h>

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

/* Called after each instruction of each warp, all on one thread. */
static void
show(void *ctx, const struct ventus_sim_step *step)
{
    unsigned *seen = ctx;
    if (step->group != 0 || step->warp != 0)
        return;
    ++*seen;
    char text[VENTUS_ISA_TEXT_MAX];
    struct ventus_isa_print options = { .has_pc = true, .pc = step->pc };
    ventus_isa_print(step->in, &options, text, sizeof text);
    printf("%08llx  %-28s", (unsigned long long)step->pc, text);
    printf("  lanes %llx", (unsigned long long)step->exec);
    if (step->access_B)
        printf("  %u bytes at %llx", step->access_B,
               (unsigned long long)step->addresses[0]);
    putchar('\n');
}

static bool
watch(struct ventus_dev *d, const struct ventus_dev_kernel *kernel)
{
    struct ventus_dev_arg args[3];
    for (int i = 0; i < 3; i++) {
        uint64_t address = ventus_dev_alloc(d, 4096, 0);
        if (!address)
            return false;
        args[i] = ventus_dev_buffer(address);
    }
    unsigned seen = 0;
    struct ventus_dev_hooks hooks = { .ctx = &seen, .step = show };
    struct ventus_dev_launch launch = {
        .kernel = kernel,
        .work_dim = 1,
        .global = { 48 },
        .local = { 16 },
        .args = args,
        .n_args = 3,
        .hooks = &hooks,
    };
    static struct ventus_dev_result result;
    bool ok = ventus_dev_run(d, &launch, &result);
    printf("%u instructions\n", seen);
    return ok;
}

int
main(int argc, char **argv)
{
    if (argc < 2)
        return fputs("usage: steps FILE.elf\n", stderr), 2;
    struct ventus_dev *d = ventus_dev_open(NULL);
    const struct ventus_dev_program *p = d ? load(d, argv[1]) : NULL;
    const struct ventus_dev_kernel *k = p ? ventus_dev_find(p, "vecadd") : NULL;
    bool ok = k && watch(d, k);
    if (!ok)
        fprintf(stderr, "steps: %s\n", ventus_dev_message());
    ventus_dev_close(d);
    return !ok;
}
