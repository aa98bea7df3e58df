/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Source lines assembled and instructions disassembled in a second: a program
 * of all common instructions with labels, comments, branches and prefixes, to
 * an object and back, both with everything that the commands do but files.
 */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#include <ventus/asm.h>

#include "asm/dis/file.h"

enum { BLOCKS = 50000 };

/* 20 lines, 19 instructions of which one needs a prefix. */
static const char block[] = "block%u:\n"
                            "    lw      t0, 16(a0)\n"
                            "    csrr    t3, knl             # metadata\n"
                            "    mul     t4, t4, t5\n"
                            "    addi    sp, sp, -16\n"
                            "    sw      t0, -4(sp)\n"
                            "    vid.v   v0\n"
                            "    vadd.vx v0, v0, t4\n"
                            "    vsll.vi v0, v0, 2\n"
                            "    vadd.vv v80, v20, v7        # prefixed\n"
                            "    vlw12.v v1, 8(v1)\n"
                            "    vfadd.vv v1, v1, v2, v0.t\n"
                            "    vfmadd.vv v3, v4, v5\n"
                            "    vmslt.vx v2, v3, s1\n"
                            "    vsw12.v v1, -8(v2)\n"
                            "    vbeq    v1, v2, block%u\n"
                            "    li      a1, 1024\n"
                            "    bne     a1, a2, block%u\n"
                            "    join\n"
                            "    ret\n";

static char *
make_source(size_t *size)
{
    size_t room = BLOCKS * (sizeof block + 30);
    char *text = malloc(room), *at = text;
    for (unsigned i = 0; text && i < BLOCKS; i++)
        at += snprintf(at, room - (size_t)(at - text), block, i, i, i);
    *size = (size_t)(at - text);
    return text;
}

int
main(void)
{
    size_t size;
    char *text = make_source(&size);
    if (!text)
        return 1;
    struct ventus_asm_result r;
    double start = bench_now();
    bool ok = ventus_asm_assemble(
        &(struct ventus_asm_options){ .file = "bench.s" }, text, size, &r);
    double mid = bench_now();
    ventus_asm_print_messages(&r, stderr, false);
    if (!ok)
        return 1;
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct buf out = { 0 };
    double before = bench_now();
    ok = dis_elf(&out, &(struct dis_file_options){ 0 }, "bench.o", r.object,
                 r.object_size, &sink);
    double end = bench_now();
    diag_print(&sink, stderr, false);
    bench_report("asm.lines", 20e-6 * BLOCKS / (mid - start), "Mlines/s");
    bench_report("dis.insns", 20e-6 * BLOCKS / (end - before), "Minsn/s");
    buf_free(&out);
    arena_free(&a);
    ventus_asm_free(&r);
    free(text);
    return ok ? 0 : 1;
}
