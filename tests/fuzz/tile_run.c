/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The input is a program: bytes of code, of which many words are made
 * tile words so that sequences decode now and then.  It runs for a while, in
 * both modes, with the checker on; it may end as it likes, but not us.
 */
#include <stdlib.h>
#include <string.h>

#include <ventus/tile.h>

#include "../tile/program.h"
#include "base/diag.h"
#include "tile/load.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { CODE_MAX = 2048 };

static void
run(const uint8_t *image, size_t size, enum ventus_tile_mode mode)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct ventus_tile_machine *m = ventus_tile_create(
        &(struct ventus_tile_options){ .mode = mode,
                                       .threads = 2,
                                       .seed = size,
                                       .check = true,
                                       .timing = mode == VENTUS_TILE_INORDER,
                                       .ram_size = 1 << 20,
                                       .smem_size = 1 << 14,
                                       .l2b_size = 1 << 14 });
    if (!m)
        abort();
    if (!tile_load(m, "fuzz", image, size, &sink))
        abort();
    uint64_t args[8] = { 0x2000, 0x40, 0x10000, 32, 0x80000000, 3, 0xff, 1 };
    ventus_tile_set_arguments(m, args, 8);
    ventus_tile_run(m, 2000);
    FILE *out = fopen("/dev/null", "w");
    ventus_tile_report(m, out);
    fclose(out);
    ventus_tile_destroy(m);
    arena_free(&a);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static uint8_t image[TILE_HEADERS + CODE_MAX], code[CODE_MAX];
    /* vsetivli zero, 8, e32, m1, ta, ma: or vectors could never be used */
    tile_put(code, 0, 4, 0xcd047057);
    size = (size < CODE_MAX - 4 ? size : CODE_MAX - 4) / 4 * 4;
    if (!size)
        return 0;
    memcpy(code + 4, bytes, size);
    for (size_t i = 4; i < size + 4; i += 4)
        if (code[i] & 0x40)
            code[i] = (uint8_t)((code[i] & 0x80) | VENTUS_TILE_OP);
    size_t n = tile_make_elf(image, code, size + 4);
    run(image, n, VENTUS_TILE_INORDER);
    run(image, n, VENTUS_TILE_DEFERRED);
    return 0;
}
