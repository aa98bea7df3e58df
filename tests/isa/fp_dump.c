/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fp_dump SEED COUNT [all16]: what softfloat says, for fp_oracle.py.  COUNT
 * operand triples for each width; all16 adds every operand of binary16.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "fp_operands.h"
#include "isa/softfloat.h"

struct operands {
    uint64_t a, b, c;
    enum fp_rm rm;
};

static void
print(const char *op, unsigned width, const struct operands *o, uint64_t result,
      const unsigned *flags)
{
    printf("%s %u %u %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %x\n", op,
           width, (unsigned)o->rm, o->a, o->b, o->c, result, *flags);
}

#define FP_WIDTH 16
#include "fp_dump_width.h"
#define FP_WIDTH 32
#include "fp_dump_width.h"
#define FP_WIDTH 64
#include "fp_dump_width.h"

static void
dump_conversions(const struct operands *o, unsigned width)
{
    unsigned f = 0, g = 0;
    switch (width) {
    case 16:
        print("to_fp32", 16, o, fp32_from_fp16((uint16_t)o->a, &f), &f);
        print("to_fp64", 16, o, fp64_from_fp16((uint16_t)o->a, &g), &g);
        break;
    case 32:
        print("to_fp16", 32, o, fp16_from_fp32((uint32_t)o->a, o->rm, &f), &f);
        print("to_fp64", 32, o, fp64_from_fp32((uint32_t)o->a, &g), &g);
        break;
    case 64:
        print("to_fp16", 64, o, fp16_from_fp64(o->a, o->rm, &f), &f);
        print("to_fp32", 64, o, fp32_from_fp64(o->a, o->rm, &g), &g);
        break;
    }
}

static void
dump_random(struct fp_random *random, unsigned width)
{
    struct operands o;
    o.a = fp_operand(random, width);
    o.b = fp_partner(random, width, o.a);
    o.c = fp_partner(random, width, o.a);
    o.rm = (enum fp_rm)(fp_random(random) % 5);
    struct operands i = { .a = fp_random(random), .rm = o.rm };
    i.a = (uint64_t)((int64_t)i.a >> fp_random(random) % 64);
    /* Small multiples of powers of two are halfway more often. */
    if (fp_random(random) & 1)
        i.a &= ~(uint64_t)0 << fp_random(random) % 64;
    void (*const binary[])(const struct operands *) = {
        fp16_dump_binary,
        fp32_dump_binary,
        fp64_dump_binary,
    };
    void (*const unary[])(const struct operands *, const struct operands *) = {
        fp16_dump_unary,
        fp32_dump_unary,
        fp64_dump_unary,
    };
    binary[width / 32](&o);
    unary[width / 32](&o, &i);
    dump_conversions(&o, width);
    if (width == 64) { /* where narrow formats end */
        unsigned narrow = fp_random(random) & 1 ? 16 : 32;
        uint64_t n = fp_operand(random, narrow);
        unsigned f = 0;
        o.a = narrow == 16 ? fp64_from_fp16((uint16_t)n, &f)
                           : fp64_from_fp32((uint32_t)n, &f);
        o.a += fp_random(random) << 26 >> fp_random(random) % 60;
        dump_conversions(&o, 64);
    }
}

int
main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: fp_dump SEED COUNT [all16]\n");
        return 2;
    }
    struct fp_random random = { strtoull(argv[1], NULL, 0) };
    unsigned long count = strtoul(argv[2], NULL, 0);
    for (unsigned long i = 0; i < count; i++)
        for (unsigned width = 16; width <= 64; width *= 2)
            dump_random(&random, width);
    for (uint32_t a = 0; argc > 3 && a < 0x10000; a++)
        for (unsigned rm = FP_RNE; rm <= FP_RMM; rm++) {
            struct operands o = { .a = a, .rm = (enum fp_rm)rm };
            fp16_dump_unary(&o, &o);
            dump_conversions(&o, 16);
        }
    return 0;
}
