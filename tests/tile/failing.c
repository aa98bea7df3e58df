/* SPDX-License-Identifier: Apache-2.0 */
/* The tile machine when the host has no memory left. */
#include "failing.h"

#include <ventus/tile.h>

#include "base/diag.h"
#include "program.h"
#include "tile/load.h"

/* tmma.s8 tr32, tr0, tr8, twice; twait.mma; li a0, 7; li a7, 93; ecall */
static const uint32_t code[] = {
    0x1000307b, 0x0400607b, 0x1000307b, 0x0400607b,
    0x080050fb, 0x00700513, 0x05d00893, 0x00000073
};

static enum failing_end
run(void *ctx)
{
    const struct ventus_tile_options *options = ctx;
    uint8_t image[512];
    size_t size = tile_make_elf(image, code, sizeof code);
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    enum failing_end end = FAILING_ERROR;
    struct ventus_tile_machine *m = ventus_tile_create(options);
    if (m && !tile_load(m, "test", image, size, &sink)) {
        CHECK_STR(sink.first->message, "out of memory");
    } else if (m) {
        enum ventus_tile_end how = ventus_tile_run(m, 0);
        CHECK(how == VENTUS_TILE_EXITED || how == VENTUS_TILE_NO_MEMORY);
        if (how == VENTUS_TILE_EXITED && CHECK_EQ(ventus_tile_status(m), 7))
            end = FAILING_DONE;
    }
    ventus_tile_destroy(m);
    arena_free(&a);
    return end;
}

TEST(each_allocation_of_the_tile_machine)
{
    struct ventus_tile_options options = { .pes = 2,
                                           .threads = 2,
                                           .check = true };
    failing_each("tile", run, &options);
}

TEST_MAIN
