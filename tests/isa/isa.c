/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decode, encode and print against the lines that legal.py wrote on its own,
 * and against each other on random instructions with and without prefixes.
 */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include <ventus/isa.h>

static uint32_t
next_random(void)
{
    static uint64_t state = 0x9e3779b97f4a7c15u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32);
}

/* The text as ventus_isa_print pads it: mnemonic to VENTUS_ISA_MNEMONIC_PAD
 * columns. */
static void
pad(const char *text, char *out)
{
    size_t n = strcspn(text, " ");
    memcpy(out, text, n);
    if (text[n]) {
        do
            out[n++] = ' ';
        while (n < VENTUS_ISA_MNEMONIC_PAD);
        strcpy(out + n, strchr(text, ' ') + 1);
    } else {
        out[n] = 0;
    }
}

static unsigned
legal_lines(enum ventus_isa_version version, const char *path)
{
    FILE *f = fopen(path, "r");
    CHECK(f != NULL);
    if (!f)
        return 0;
    char line[256], want[256], got[VENTUS_ISA_TEXT_MAX];
    unsigned n = 0;
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        uint32_t word = (uint32_t)strtoul(line, NULL, 16), back[2];
        struct ventus_isa_insn in;
        CHECK(ventus_isa_decode_word(version, word, &in));
        ventus_isa_print(&in, &(struct ventus_isa_print){ .no_alias = true },
                         got, sizeof got);
        pad(line + 9, want);
        CHECK_STR(got, want);
        CHECK_EQ(ventus_isa_encode(&in, back), 1);
        CHECK_EQ(back[0], word);
        char why[VENTUS_ISA_TEXT_MAX];
        CHECK(ventus_isa_check(version, &in, why, sizeof why) == NULL);
        n++;
    }
    fclose(f);
    return n;
}

TEST(legal_lines_v1)
{
    CHECK(legal_lines(VENTUS_ISA_V1, LEGAL_DIR "/legal1.txt") > 4000);
}

TEST(legal_lines_v2)
{
    CHECK(legal_lines(VENTUS_ISA_V2, LEGAL_DIR "/legal2.txt") > 5000);
}

/* Random pairs of words: what is decoded encodes to the same words. */
static void
random_groups(enum ventus_isa_version version)
{
    unsigned folded = 0;
    for (unsigned i = 0; i < 400000; i++) {
        uint32_t words[2], back[2];
        for (int k = 0; k < 2; k++) {
            const struct ventus_isa_info *info =
                &ventus_isa_info[1 + next_random() % (VENTUS_ISA_OP_COUNT - 1)];
            words[k] = info->match | (next_random() & ~info->mask);
        }
        struct ventus_isa_insn in;
        unsigned n = ventus_isa_decode(version, words, 2, &in);
        if (!n)
            continue;
        CHECK_EQ(ventus_isa_encode(&in, back), n);
        CHECK_EQ(back[0], words[0]);
        if (n == 2) {
            CHECK_EQ(back[1], words[1]);
            CHECK_EQ(ventus_isa_length(&in), 8);
            folded++;
        }
    }
    CHECK(folded > 1000);
}

TEST(random_groups_v1)
{
    random_groups(VENTUS_ISA_V1);
}

TEST(random_groups_v2)
{
    random_groups(VENTUS_ISA_V2);
}

static struct ventus_isa_insn
group(enum ventus_isa_version version, uint32_t first, uint32_t second,
      unsigned want)
{
    struct ventus_isa_insn in;
    uint32_t words[2] = { first, second };
    CHECK_EQ(ventus_isa_decode(version, words, 2, &in), want);
    return in;
}

static void
says(const struct ventus_isa_insn *in, const char *want)
{
    char text[VENTUS_ISA_TEXT_MAX];
    ventus_isa_print(in, NULL, text, sizeof text);
    CHECK_STR(text, want);
}

/* The example of the slides: {x3,x2,x1,xd} = 000 001 000(1) 010 by hand. */
TEST(regext_extends_by_place)
{
    /* vadd.vx v16, v20, x8: funct6 0, vm 1, vs2 20, rs1 8, 100, vd 16 */
    uint32_t vadd =
        1u << 25 | 20u << 20 | 8u << 15 | 4u << 12 | 16u << 7 | 0x57u;
    uint32_t regext = 0x00a00000u | 0x200bu; /* x1 = 1, xd = 2 */
    struct ventus_isa_insn in = group(VENTUS_ISA_V1, regext, vadd, 2);
    CHECK_EQ(in.op, VENTUS_ISA_VADD_VX);
    says(&in, "vadd.vx v80, v20, x40");
}

TEST(regext_extends_the_fma_accumulator_by_xd)
{
    /* as compiled code has it: regext 72 (x2 = x1 = 1); vmadd.vv v0, v1, v2 */
    uint32_t vmadd = 0xa4002057u | 1u << 25 | 2u << 20 | 1u << 15 | 0u << 7;
    struct ventus_isa_insn in =
        group(VENTUS_ISA_V1, 72u << 20 | 0x200bu, vmadd, 2);
    says(&in, "vmadd.vv v0, v33, v34");
}

/* Manual 4.2.2: "the high 3 bits of vs3 and vd are stored apart." */
TEST(in_version_2_the_accumulator_has_high_bits_of_its_own)
{
    uint32_t vmadd = 0xa4002057u | 1u << 25 | 2u << 20 | 1u << 15 | 8u << 7;
    uint32_t x3_is_2 = 2u << 29 | 1u << 20, both = 1u << 29 | 1u << 20;
    struct ventus_isa_insn in =
        group(VENTUS_ISA_V2, x3_is_2 | 0x200bu, vmadd, 2);
    says(&in, "vmadd.vv v40, v1, v2, v72");
    in = group(VENTUS_ISA_V2, 1u << 20 | 0x02u, vmadd, 2);
    says(&in, "vmadd.vv v40, v1, v2, v8");
    in = group(VENTUS_ISA_V2, both | 0x200bu, vmadd, 2);
    says(&in, "vmadd.vv v40, v1, v2");
    in = group(VENTUS_ISA_V1, x3_is_2 | 0x200bu, vmadd, 2);
    says(&in, "vmadd.vv v40, v1, v2");
    /* What the assembler and the compiler put before it. */
    in = (struct ventus_isa_insn){ .op = VENTUS_ISA_VMADD_VV,
                                   .reg = { 40, 1, 2 },
                                   .vm = 1 };
    uint32_t words[2];
    CHECK(ventus_isa_add_prefix(VENTUS_ISA_V2, &in));
    CHECK_EQ(ventus_isa_encode(&in, words), 2);
    CHECK_EQ(words[0], both | 0x200bu);
    in = (struct ventus_isa_insn){ .op = VENTUS_ISA_VMADD_VV,
                                   .reg = { 40, 1, 2 },
                                   .vm = 1 };
    CHECK(ventus_isa_add_prefix(VENTUS_ISA_V1, &in));
    CHECK_EQ(ventus_isa_encode(&in, words), 2);
    CHECK_EQ(words[0], 1u << 20 | 0x200bu);
    char text[VENTUS_ISA_TEXT_MAX];
    in = (struct ventus_isa_insn){ .op = VENTUS_ISA_VMADD_VV,
                                   .vm = 1,
                                   .split = true };
    in.reg[VENTUS_ISA_SLOT_D] = 40;
    in.reg[VENTUS_ISA_SLOT_3] = 8;
    CHECK(ventus_isa_add_prefix(VENTUS_ISA_V1, &in));
    CHECK_STR(ventus_isa_check(VENTUS_ISA_V1, &in, text, sizeof text),
              "in version 1 the accumulator is vd");
    CHECK(!ventus_isa_check(VENTUS_ISA_V2, &in, text, sizeof text));
    in.reg[VENTUS_ISA_SLOT_3] = 9;
    CHECK(ventus_isa_check(VENTUS_ISA_V2, &in, text, sizeof text) != NULL);
}

TEST(regexti_widens_the_immediate)
{
    /* imm[10:5] = 111111, imm[4:0] = 00000: -32; xd = 1 */
    uint32_t vadd = 0x02003057u | 3u << 20 | 2u << 7;
    struct ventus_isa_insn in =
        group(VENTUS_ISA_V1, (63u << 6 | 1u) << 20 | 0x300bu, vadd, 2);
    says(&in, "vadd.vi v34, v3, -32");
    /* shifts have an unsigned immediate */
    uint32_t vsll = 0x96003057u | 3u << 20 | 2u << 7;
    in = group(VENTUS_ISA_V1, 63u << 26 | 0x300bu, vsll, 2);
    says(&in, "vsll.vi v2, v3, 2016");
}

/* Slides, regpair: 000_000_000_001; lw x9, 0(x6) is lw x41, 0([x7,x6]). */
TEST(regpair_even_is_a_pair_and_odd_is_not)
{
    struct ventus_isa_insn in =
        group(VENTUS_ISA_V1, 1u << 20 | 0x500bu, 0x00032483u, 2);
    CHECK_EQ(in.pair, 1);
    says(&in, "lw      x41, 0([x7:x6])");
    CHECK_EQ(group(VENTUS_ISA_V2, 1u << 20 | 0x500bu, 0x00032483u, 0).op,
             VENTUS_ISA_NONE);
}

TEST(only_the_last_prefix_counts)
{
    struct ventus_isa_insn in =
        group(VENTUS_ISA_V1, 0x0010200bu, 0x0020200bu, 1);
    CHECK_EQ(in.op, VENTUS_ISA_REGEXT);
    CHECK_EQ(in.ext, 1);
}

TEST(memory_prefix_needs_a_memory_access)
{
    uint32_t global_96 = 5u << 20 | 2u << 15 | 0x036u;
    struct ventus_isa_insn in = group(VENTUS_ISA_V2, global_96, 0x0000207bu, 2);
    CHECK_EQ(in.op, VENTUS_ISA_VLW12_V);
    CHECK_EQ(in.space, VENTUS_ISA_SPACE_GLOBAL);
    CHECK_EQ(in.width, 3);
    CHECK_EQ(in.hint, 2);
    CHECK_EQ(in.reg[VENTUS_ISA_SLOT_D], 5u << 5);
    /* by the draft before anything else the prefix does nothing */
    in = group(VENTUS_ISA_V2, global_96, 0x00000013u, 1);
    CHECK_EQ(in.op, VENTUS_ISA_PRE_M_GLOBAL_96);
}

TEST(prefix_modifies_sources)
{
    /* imm 0, pair 1, ABS 010, NEG 001 */
    uint32_t prefix = 1u << 19 | 2u << 16 | 1u << 13 | 0x02u;
    struct ventus_isa_insn in = group(VENTUS_ISA_V2, prefix, 0x02208057u, 2);
    CHECK_EQ(in.pair, 1);
    CHECK_EQ(in.abs, 2);
    CHECK_EQ(in.neg, 1);
}

/* What the next instruction has no meaning for: decision 8. */
TEST(a_prefix_that_would_be_ignored_is_refused)
{
    const uint32_t regpair = 0x500bu, regexti = 1u << 26 | 0x300bu;
    const uint32_t vadd_vv = 0x02208057u, csrrw = 0x80101073u;
    static const struct {
        enum ventus_isa_version version;
        uint32_t prefix, word;
        const char *why;
    } rows[] = {
        { VENTUS_ISA_V1, regpair, csrrw, "the instruction has no 64-bit form" },
        { VENTUS_ISA_V2, 1u << 19 | 2, 0xc2212257u, /* vwaddu.vv v4, v2, v2 */
          "the instruction has its own register pairs" },
        { VENTUS_ISA_V2, 4u << 13 | 2, vadd_vv,
          "abs or neg of a source that the instruction does not have" },
        { VENTUS_ISA_V2, 1u << 16 | 2, 0x00032483u, /* lw x9, 0(x6) */
          "abs or neg of a source that the instruction does not have" },
        { VENTUS_ISA_V1, regexti, vadd_vv,
          "the instruction has no immediate that the prefix widens" },
        { VENTUS_ISA_V2, 0x016u, 0x004321afu, /* pre_m_96, amoadd.w */
          "an atomic is of one or two words" },
        { VENTUS_ISA_V2, 0x04eu, 0x004321afu, /* pre_m_private_64, amoadd.w */
          "the words of a thread's private memory are apart: an atomic there "
          "has one word" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t words[2] = { rows[i].prefix, rows[i].word };
        struct ventus_isa_insn in;
        CHECK_EQ(ventus_isa_decode(rows[i].version, words, 2, &in), 0);
        CHECK_EQ(in.op, VENTUS_ISA_NONE);
        const char *why = ventus_isa_refused(rows[i].version, words, 2);
        CHECK_STR(why ? why : "not refused", rows[i].why);
    }
    const uint32_t pre_m_64[2] = { 0x00eu, 0x004321afu };
    CHECK(!ventus_isa_refused(VENTUS_ISA_V2, pre_m_64, 2));
    uint32_t fine[2] = { regpair, vadd_vv };
    CHECK(!ventus_isa_refused(VENTUS_ISA_V1, fine, 2));
    CHECK(!ventus_isa_refused(VENTUS_ISA_V1, fine, 1));
}

TEST(versions_read_opcode_0101011_differently)
{
    struct ventus_isa_insn in = group(VENTUS_ISA_V1, 0x8000202bu, 0, 1);
    CHECK_EQ(in.op, VENTUS_ISA_VSW_V);
    in = group(VENTUS_ISA_V2, 0x8000202bu, 0, 1);
    CHECK_EQ(in.op, VENTUS_ISA_VLW12D_V);
    CHECK_EQ(in.imm, -2048);
}

TEST(add_prefix_chooses_the_form)
{
    struct ventus_isa_insn in = { .op = VENTUS_ISA_VADD_VX,
                                  .reg = { 80, 40, 20 },
                                  .vm = 1 };
    uint32_t words[2];
    CHECK_EQ(ventus_isa_encode(&in, words), 0); /* does not fit without */
    CHECK(ventus_isa_add_prefix(VENTUS_ISA_V1, &in));
    CHECK_EQ(in.prefix, VENTUS_ISA_REGEXT);
    CHECK_EQ(ventus_isa_encode(&in, words), 2);
    CHECK_EQ(words[0], 0x00a0200bu);
    in = (struct ventus_isa_insn){
        .op = VENTUS_ISA_VADD_VI, .reg = { 1, 0, 40 }, .imm = 100, .vm = 1
    };
    CHECK(ventus_isa_add_prefix(VENTUS_ISA_V1, &in));
    CHECK_EQ(in.prefix, VENTUS_ISA_REGEXTI);
    in = (struct ventus_isa_insn){ .op = VENTUS_ISA_ADDI,
                                   .reg = { 2, 4 },
                                   .abs = 1 };
    CHECK(!ventus_isa_add_prefix(VENTUS_ISA_V1, &in));
    CHECK(ventus_isa_add_prefix(VENTUS_ISA_V2, &in));
    CHECK_EQ(in.prefix, VENTUS_ISA_PREFIX);
}

TEST(check_names_what_does_not_fit)
{
    char text[VENTUS_ISA_TEXT_MAX];
    struct ventus_isa_insn in = { .op = VENTUS_ISA_ADDI,
                                  .reg = { 1, 2 },
                                  .imm = 2048 };
    CHECK_STR(ventus_isa_check(VENTUS_ISA_V1, &in, text, sizeof text),
              "imm_i 2048 is outside -2048..2047");
    in = (struct ventus_isa_insn){ .op = VENTUS_ISA_BEQ, .imm = 3 };
    CHECK_STR(ventus_isa_check(VENTUS_ISA_V1, &in, text, sizeof text),
              "imm_b 3 is not a multiple of 2");
    in = (struct ventus_isa_insn){ .op = VENTUS_ISA_ADDW };
    CHECK_STR(ventus_isa_check(VENTUS_ISA_V1, &in, text, sizeof text),
              "addw is not in version 1 of the instruction set");
}

TEST(unknown_words_are_refused)
{
    struct ventus_isa_insn in;
    CHECK(!ventus_isa_decode_word(VENTUS_ISA_V1, 0, &in));
    CHECK_EQ(in.op, VENTUS_ISA_NONE);
    CHECK(!ventus_isa_decode_word(VENTUS_ISA_V1, 0xffffffffu, &in));
    CHECK(!ventus_isa_decode_word(VENTUS_ISA_V1, 0x00000073u, &in)); /* ecall */
    CHECK_EQ(ventus_isa_decode(VENTUS_ISA_V1, NULL, 0, &in), 0);
}

TEST(print_cuts_to_size)
{
    struct ventus_isa_insn in;
    CHECK(ventus_isa_decode_word(VENTUS_ISA_V1, 0x00c50863u, &in));
    char text[9];
    memset(text, '#', sizeof text);
    CHECK_EQ(ventus_isa_print(&in, NULL, text, 8), 7);
    CHECK_STR(text, "beq    ");
    CHECK_EQ(text[8], '#');
}

TEST_MAIN
