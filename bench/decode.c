/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words decoded in a second: all instructions of version 1 in random order
 * with random operands, the worst case for branch prediction, and printed.
 */
#include "bench.h"

#include <stdint.h>
#include <stdlib.h>

#include <ventus/isa.h>

enum { WORDS = 1 << 16, ROUNDS = 400, PRINTED = 10 };

static uint32_t
next_random(void)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32);
}

static void
fill(uint32_t *words)
{
    for (unsigned i = 0; i < WORDS;) {
        const struct ventus_isa_info *info =
            &ventus_isa_info[1 + next_random() % (VENTUS_ISA_OP_COUNT - 1)];
        if (info->versions & VENTUS_ISA_V1 &&
            !(info->flags & VENTUS_ISA_F_PREFIX))
            words[i++] = info->match | (next_random() & ~info->mask);
    }
}

int
main(void)
{
    static uint32_t words[WORDS];
    fill(words);
    struct ventus_isa_insn in;
    uint64_t sum = 0;
    double start = bench_now();
    for (unsigned r = 0; r < ROUNDS; r++)
        for (unsigned i = 0; i < WORDS; i++)
            sum += ventus_isa_decode_word(VENTUS_ISA_V1, words[i], &in) +
                   in.reg[1];
    double mid = bench_now();
    char text[VENTUS_ISA_TEXT_MAX];
    for (unsigned r = 0; r < PRINTED; r++)
        for (unsigned i = 0; i < WORDS; i++) {
            ventus_isa_decode_word(VENTUS_ISA_V1, words[i], &in);
            sum += ventus_isa_print(&in, NULL, text, sizeof text);
        }
    double end = bench_now();
    bench_report("isa.decode", 1e-6 * WORDS * ROUNDS / (mid - start),
                 "Mwords/s");
    bench_report("isa.print", 1e-6 * WORDS * PRINTED / (end - mid), "Minsn/s");
    return sum == 0;
}
