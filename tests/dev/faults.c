/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every class of fault on both machines: the message says what, where and who,
 * and the device does the next launch as if nothing had been.
 */
#include "test.h"

#include <stdint.h>

#include <ventus/dev.h>

#include "base/file.h"

enum { LANES = 8, WORDS = 1024 };

/* What is said of each kernel; the line number is behind faults.s:. */
static const struct {
    const char *kernel;
    unsigned warps;
    const char *words[4];
} faults[] = {
    { "illegal",
      1,
      { "illegal instruction: word 0xffffffff at pc 0x8000",
        ", workgroup 0 (0,0,0), warp 0; illegal (", "faults.s:32)" } },
    { "unaligned",
      1,
      { "misaligned access to 0x90000002 at pc 0x8000",
        " (vlw12.v v1, 2(v0)), workgroup 0 (0,0,0), warp 0, lane 0; "
        "unaligned+0x18 (",
        "faults.s:36), work-item (0,0,0)" } },
    { "unmapped",
      1,
      { "access to unmapped memory to 0x8ffffff8 at pc 0x8000",
        " (vsw12.v v1, -8(v0)), workgroup 0 (0,0,0), warp 0, lane 0; "
        "unmapped+0x18 (",
        "faults.s:41), work-item (0,0,0)" } },
    { "readonly",
      1,
      { "access without permission to 0x90002004 at pc 0x8000",
        " (vsw12.v v1, 4(v0)), workgroup 0 (0,0,0), warp 0, lane 0; "
        "readonly+0x8 (",
        "faults.s:47), work-item (0,0,0)" } },
    { "beyond",
      1,
      { "access outside of private memory: a thread has 16 bytes, offset 0x10 "
        "at pc 0x8000",
        " (vsw.v v1, 0(v0)), workgroup 0 (0,0,0), warp 0, lane 4; beyond+0x8 (",
        "faults.s:53), work-item (4,0,0)" } },
    { "overflow",
      1,
      { "SIMT stack overflow at pc 0x8000",
        " (vblt v0, v1, pc + 4), workgroup 0 (0,0,0), warp 0; overflow+0x18 (",
        "faults.s:63)" } },
    { "underflow",
      1,
      { "SIMT stack underflow: no setrpc names this join at pc 0x8000",
        " (join v0, v0, pc + 0), workgroup 0 (0,0,0), warp 0; underflow (",
        "faults.s:68)" } },
    { "diverged",
      1,
      { "endprg while lanes wait on the SIMT stack at pc 0x8000",
        " (endprg x0, x0, x0), workgroup 0 (0,0,0), warp 0; diverged+0x18 (",
        "faults.s:78)" } },
    { "nofit",
      2,
      { "workgroup does not fit on an SM: it needs 256 vGPRs, an SM has "
        "128" } },
    { "deadlock",
      2,
      { "barrier that can never complete: max_instructions at pc 0x8000",
        ", workgroup 0 (0,0,0), warp 1; warp 0 at 0x8000",
        " waits at a barrier, warp 1 at 0x8000", " runs; deadlock+0x" } },
};

static struct arena arena;

static bool
launch(struct ventus_dev *d, const struct ventus_dev_program *p,
       const char *kernel, unsigned warps, const uint64_t buffers[2],
       struct ventus_dev_result *result)
{
    struct ventus_dev_arg args[] = { ventus_dev_buffer(buffers[0]),
                                     ventus_dev_buffer(buffers[1]) };
    return ventus_dev_run(
        d,
        &(struct ventus_dev_launch){ .kernel = ventus_dev_find(p, kernel),
                                     .work_dim = 1,
                                     .global = { warps * LANES },
                                     .local = { warps * LANES },
                                     .args = args,
                                     .n_args = 2 },
        result);
}

static void
check_usable(struct ventus_dev *d, const struct ventus_dev_program *p,
             const uint64_t buffers[2])
{
    uint32_t words[2 * LANES];
    CHECK(ventus_dev_fill(d, buffers[0], &(uint32_t){ 0 }, 4, 4 * WORDS));
    CHECK(launch(d, p, "put", 2, buffers, NULL));
    CHECK(ventus_dev_read(d, buffers[0], words, sizeof words));
    for (unsigned i = 0; i < 2 * LANES; i++)
        CHECK_EQ(words[i], 7);
    CHECK(ventus_dev_fill(d, buffers[0], &(uint32_t){ 0 }, 4, 4 * WORDS));
}

static void
check_machine(const char *engine)
{
    bool counts = strcmp(engine, "engine=model") == 0;
    const char *set[] = {
        engine,         "num_thread=8",           "stack_depth=2",
        "num_vgpr=128", "max_instructions=10000", "num_warp=8",
        "bounds=strict"
    };
    struct ventus_dev *d =
        ventus_dev_open(&(struct ventus_dev_options){ .set = set, .n_set = 7 });
    struct diag_sink sink = { .arena = &arena };
    size_t size;
    uint8_t *elf = file_read(&arena, PROGRAMS "/faults.elf", &size, &sink);
    struct ventus_dev_program *p =
        d && elf ? ventus_dev_load(d, elf, size, "faults") : NULL;
    if (!CHECK(p))
        return;
    const uint64_t buffers[] = { ventus_dev_alloc(d, 4 * WORDS, 0),
                                 ventus_dev_alloc(d, 64,
                                                  VENTUS_DEV_READ_ONLY) };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct ventus_dev_result r;
        /* It ends by a limit, which only the functional machine has. */
        if (counts && strcmp(faults[i].kernel, "deadlock") == 0)
            continue;
        CHECK(!launch(d, p, faults[i].kernel, faults[i].warps, buffers, &r));
        char *start = arena_printf(&arena, "kernel '%s': %s", faults[i].kernel,
                                   faults[i].words[0]);
        if (!CHECK(strncmp(r.message, start, strlen(start)) == 0))
            printf("  %s\n", r.message);
        for (int k = 1; k < 4 && faults[i].words[k]; k++)
            if (!CHECK(strstr(r.message, faults[i].words[k])))
                printf("  %s\n  %s\n", r.message, faults[i].words[k]);
        check_usable(d, p, buffers);
    }
    ventus_dev_close(d);
}

TEST(on_the_functional_machine)
{
    check_machine("engine=sim");
}

TEST(on_the_cycle_level_machine)
{
    check_machine("engine=model");
}

TEST_MAIN
