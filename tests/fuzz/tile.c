/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RV64 and tile programs, of instructions drawn from both tables.  Each runs
 * in order, then with checker and timing, then in mode deferred.  Of a single
 * thread checker and timing must change nothing, and where the checker finds
 * no hazard mode deferred must leave the same.  Several threads take turns of
 * other lengths in each, and may race.
 *
 * Byte 0 of the input: threads, PEs; byte 1: the seed of mode deferred; then
 * code, behind which the program exits.
 */
#include <ventus/tile.h>

#include "../tile/program.h"
#include "base/diag.h"
#include "tile/load.h"
#include "words_code.h"

enum {
    HEAD_B = 2,
    MAX_B = 2048,
    RAM = 0x1000, /* where it begins */
    RAM_B = (1 << 18) - RAM,
    LIMIT = 3000,
    EBREAK = 0x00100073
};

struct run {
    struct ventus_tile_machine *m;
    enum ventus_tile_end end;
    size_t hazards;
};

static struct run
run(const uint8_t *image, size_t size, const struct ventus_tile_options *how)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct ventus_tile_options o = *how;
    o.ram_size = RAM + RAM_B;
    o.smem_size = o.l2b_size = 1 << 13;
    struct run r = { .m = ventus_tile_create(&o) };
    require(r.m != NULL, "no machine");
    require(tile_load(r.m, "fuzz", image, size, &sink), "no program");
    uint64_t args[8] = { 0x20000, 0x40, 0x10000, 32, 0x80000000, 3, 0xff, 1 };
    ventus_tile_set_arguments(r.m, args, 8);
    r.end = ventus_tile_run(r.m, LIMIT);
    ventus_tile_hazards(r.m, &r.hazards);
    FILE *out = fopen("/dev/null", "w");
    require(out != NULL, "no /dev/null");
    ventus_tile_report(r.m, out);
    fclose(out);
    arena_free(&a);
    return r;
}

static void
require_same(const struct run *a, const struct run *b, const char *what)
{
    static uint8_t ma[RAM_B], mb[RAM_B];
    if (a->end != b->end)
        fprintf(stderr, "ends: %d and %d\n", a->end, b->end);
    require(a->end == b->end, what);
    require(ventus_tile_status(a->m) == ventus_tile_status(b->m), what);
    const struct ventus_tile_fault *fa = ventus_tile_fault_of(a->m),
                                   *fb = ventus_tile_fault_of(b->m);
    if (a->end == VENTUS_TILE_FAULTED)
        require(fa->cause == fb->cause && fa->pc == fb->pc &&
                    fa->value == fb->value && fa->thread == fb->thread,
                what);
    require(ventus_tile_read(a->m, RAM, ma, RAM_B) &&
                ventus_tile_read(b->m, RAM, mb, RAM_B),
            "RAM cannot be read");
    for (unsigned i = 0; memcmp(ma, mb, RAM_B) && i < RAM_B; i++)
        if (ma[i] != mb[i]) {
            fprintf(stderr, "at 0x%x: 0x%02x and 0x%02x\n", RAM + i, ma[i],
                    mb[i]);
            require(false, what);
        }
}

/* Numbers that change with timing, or with how often a thread had its turn. */
static bool
reads_time(const uint8_t *code, size_t n)
{
    for (size_t i = 0; i + 4 <= n; i += 2) {
        uint32_t word;
        memcpy(&word, code + i, 4);
        if ((word & 0x7f) == 0x73 && word >> 30 == 3)
            return true;
    }
    return false;
}

static size_t
make_program(uint8_t *image, const uint8_t *bytes, size_t size)
{
    static uint8_t code[MAX_B];
    size_t n = size < MAX_B - 16 ? size : MAX_B - 16;
    /* vsetivli zero, 8, e32, m1, ta, ma: or vectors could never be used */
    tile_put(code, 0, 4, 0xcd047057);
    memcpy(code + 4, bytes, n);
    n = (n + 5) / 2 * 2;
    tile_put(code, n, 4, 0x05d00893); /* li a7, 93 */
    tile_put(code, n + 4, 4, 0x00000073);
    tile_put(code, n + 8, 4, EBREAK);
    return tile_make_elf(image, code, n + 12);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static uint8_t image[TILE_HEADERS + MAX_B];
    if (size < HEAD_B + 2)
        return 0;
    bool one = !(bytes[0] & 8);
    struct ventus_tile_options o = { .threads = one ? 1 : 1 + (bytes[0] & 3),
                                     .pes = one ? 1 : 1 + (bytes[0] >> 2 & 1),
                                     .seed = bytes[1] };
    size_t n = make_program(image, bytes + HEAD_B, size - HEAD_B);
    bool comparable = one && !reads_time(bytes + HEAD_B, size - HEAD_B);
    struct run plain = run(image, n, &o);
    o.check = o.timing = true;
    struct run checked = run(image, n, &o);
    comparable = comparable && plain.end != VENTUS_TILE_LIMIT &&
                 checked.end != VENTUS_TILE_LIMIT;
    if (comparable && checked.end != VENTUS_TILE_HAZARD)
        require_same(&plain, &checked, "checker or timing change values");
    o.mode = VENTUS_TILE_DEFERRED;
    struct run deferred = run(image, n, &o);
    bool clean = checked.end == VENTUS_TILE_EXITED && !checked.hazards &&
                 deferred.end != VENTUS_TILE_HAZARD && !deferred.hazards;
    if (comparable && clean)
        require_same(&plain, &deferred, "without a hazard, but order matters");
    ventus_tile_destroy(plain.m);
    ventus_tile_destroy(checked.m);
    ventus_tile_destroy(deferred.m);
    return 0;
}

/* ---- the mutator ---- */

/* At even places: inserts, or replaces, an instruction of either table. */
size_t
LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max_size,
                        unsigned seed)
{
    struct rng r = rng_of(seed);
    if (size < HEAD_B + 2 || rng_one_of(&r, 16))
        return LLVMFuzzerMutate(bytes, size, max_size);
    if (rng_one_of(&r, 12))
        bytes[rng_below(&r, HEAD_B)] = (uint8_t)rng_word(&r);
    for (unsigned times = 1 + rng_below(&r, 4); times; times--) {
        uint8_t insn[16];
        const struct words_isa *isa =
            rng_one_of(&r, 2) ? &tile_words : &rv64_words;
        size_t n = words_draw(&r, isa, insn);
        size_t at = HEAD_B + 2 * rng_below(&r, (uint32_t)(size - HEAD_B) / 2);
        switch (rng_below(&r, 4)) {
        case 0:
        case 1:
            if (size + n > max_size)
                break;
            memmove(bytes + at + n, bytes + at, size - at);
            memcpy(bytes + at, insn, n);
            size += n;
            break;
        case 2:
            memcpy(bytes + at, insn, n < size - at ? n : size - at);
            break;
        default:
            if (size - n < HEAD_B + 4 || at + n > size)
                break;
            memmove(bytes + at, bytes + at + n, size - at - n);
            size -= n;
            break;
        }
    }
    return size;
}
