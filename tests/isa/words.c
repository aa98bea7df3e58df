/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every 32-bit word, or a sample: what decodes encodes back to itself, and
 * what does not decode matches no row.
 *
 *     words VERSION [STEP]     STEP 1 (default): all 2^32
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <ventus/isa.h>

/* Slow and obvious: the rows that this word belongs to. */
static unsigned
rows_of(enum ventus_isa_version version, uint32_t word, unsigned *last)
{
    unsigned n = 0;
    for (unsigned op = 1; op < VENTUS_ISA_OP_COUNT; op++) {
        const struct ventus_isa_info *info = &ventus_isa_info[op];
        if (info->versions & version && (word & info->mask) == info->match) {
            n++;
            *last = op;
        }
    }
    return n;
}

static bool
check(enum ventus_isa_version version, uint32_t word, bool slow)
{
    struct ventus_isa_insn in;
    uint32_t back[2] = { 0, 0 };
    bool known = ventus_isa_decode_word(version, word, &in);
    if (known && (ventus_isa_encode(&in, back) != 1 || back[0] != word)) {
        printf("%08" PRIx32 ": %s encodes to %08" PRIx32 "\n", word,
               ventus_isa_info[in.op].name, back[0]);
        return false;
    }
    if (!slow)
        return true;
    unsigned op = VENTUS_ISA_NONE, n = rows_of(version, word, &op);
    if (n != known || op != in.op) {
        printf("%08" PRIx32 ": decoded as %s, %u rows have it\n", word,
               ventus_isa_info[in.op].name, n);
        return false;
    }
    return true;
}

int
main(int argc, char **argv)
{
    enum ventus_isa_version version =
        argc > 1 && atoi(argv[1]) == 2 ? VENTUS_ISA_V2 : VENTUS_ISA_V1;
    uint64_t step = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    unsigned passed = 0, failed = 0;
    uint64_t words = 0;
    for (uint64_t w = 0; w >> 32 == 0 && failed < 20; w += step, words++)
        if (!check(version, (uint32_t)w, words % 1021 == 0))
            failed++;
    passed = failed ? 0 : 1;
    printf("%" PRIu64 " words of version %d\n%u passed, %u failed\n", words,
           version, passed, failed);
    return failed != 0;
}
