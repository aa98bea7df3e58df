/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every row of the table of instructions, with each prefix that it takes, on two machines
 * of which one translates: registers, memory, flags, counts and faults are the same.
 *
 *     rows [SEED [all]]
 *
 * A program is a page of fragments.  A fragment is a block with an instruction between
 * others that make its operands and use its result; the launch goes from a prologue, which
 * loads all registers from memory, to one of the fragments, and ends.  So each is tried
 * many times, with other operands, addresses and active lanes, after one translation.
 *
 * all: each page with warps of each size; else the pages have them by turns.
 */
#include <stdlib.h>

#include <ventus/isa_build.h>

#include "draw.h"
#include "native/client.h"

/* ---- instructions ---- */

struct list {
    enum ventus_isa_version isa;
    struct ventus_isa_insn *at;
    unsigned n, cap;
};

static void
add(struct list *l, struct ventus_isa_insn in)
{
    if (l->n == l->cap) {
        l->cap = l->cap ? 2 * l->cap : 1024;
        l->at = realloc(l->at, l->cap * sizeof *l->at);
        if (!l->at)
            exit(2);
    }
    l->at[l->n++] = in;
}

/* An instruction of a row with a prefix, if they fit each other. */
static void
add_prefixed(struct list *l, unsigned op, unsigned prefix)
{
    struct ventus_isa_insn in;
    if (draw_prefixed(l->isa, op, prefix, &in))
        add(l, in);
}

/* All rows of a version; false: one cannot be encoded. */
static bool
list_rows(struct list *l)
{
    char text[VENTUS_ISA_TEXT_MAX];
    for (unsigned op = 1; op < VENTUS_ISA_OP_COUNT; op++) {
        if (!(ventus_isa_info[op].versions & l->isa) ||
            ventus_isa_is_prefix((enum ventus_isa_op)op))
            continue;
        for (unsigned i = 0; i < 3; i++) {
            struct ventus_isa_insn in = draw(op, 0);
            const char *why = ventus_isa_check(l->isa, &in, text, sizeof text);
            if (why) {
                printf("%s: %s\n", ventus_isa_info[op].name, why);
                return false;
            }
            add(l, in);
        }
        for (unsigned p = 1; p < VENTUS_ISA_OP_COUNT; p++)
            if (ventus_isa_is_prefix((enum ventus_isa_op)p) &&
                (ventus_isa_info[p].versions & l->isa))
                add_prefixed(l, op, p);
    }
    return true;
}

/* Neighbours in the list are of different rows. */
static void
shuffle(struct list *l)
{
    for (unsigned i = l->n; i > 1; i--) {
        unsigned k = random_below(i);
        struct ventus_isa_insn f = l->at[i - 1];
        l->at[i - 1] = l->at[k];
        l->at[k] = f;
    }
}

/* ---- programs ---- */

enum { FRAGMENTS_MAX = 200, FRAGMENT_WORDS = 12, TAIL_WORDS = 3 };

struct page {
    struct program code;
    unsigned start[FRAGMENTS_MAX];          /* by fragment, in words */
    const struct ventus_isa_insn *fragment; /* the first */
    unsigned fragments;
};

/* An instruction that makes v2 or a later value. */
static struct ventus_isa_insn
draw_before(void)
{
    unsigned d = V_VALUE + random_below(VALUES);
    switch (random_below(4)) {
    case 0:
        return ventus_isa_vadd_vi(d, d, 0, 1);
    case 1:
        return ventus_isa_vadd_vx(V_ADDRESS, V_ADDRESS, 0, 1);
    case 2:
        return ventus_isa_vfadd_vv(d, d, V_VALUE + random_below(VALUES), 1);
    }
    return ventus_isa_addi(X_VALUE + random_below(VALUES), X_ADDRESS, 1);
}

/* One that uses a result, or may fault after it. */
static struct ventus_isa_insn
draw_after(const struct ventus_isa_insn *in)
{
    unsigned d = in->reg[VENTUS_ISA_SLOT_D] & 31;
    switch (random_below(5)) {
    case 0:
        return ventus_isa_vxor_vv(V_RESULT + 1, d, V_RESULT + 1, 1);
    case 1:
        return ventus_isa_vsw12_v(d, V_ADDRESS, 8);
    case 2:
        return ventus_isa_vlw12_v(V_RESULT + 2, V_ADDRESS, 0);
    case 3:
        return ventus_isa_vfmul_vv(V_RESULT + 3, d, V_VALUE, 1);
    }
    return ventus_isa_add(X_VALUE + 1, d ? d : X_VALUE, X_VALUE);
}

static void
put_fragment(struct program *p, const struct ventus_isa_insn *in)
{
    if (random_below(2))
        put(p, draw_before());
    if (is_named(in, "jalr"))
        put(p, ventus_isa_auipc(X_HERE, 0));
    unsigned setrpc = p->n;
    if (divides(in)) {
        put(p, ventus_isa_auipc(X_HERE, 0));
        put(p, ventus_isa_setrpc(X_RETURN, X_HERE, 0));
    }
    p->n += ventus_isa_encode(in, p->word + p->n);
    put(p, draw_after(in));
    if (random_below(2))
        put(p, draw_after(in));
    if (divides(in)) {
        struct program patch = { .n = 0 };
        put(&patch, ventus_isa_setrpc(X_RETURN, X_HERE, offset(setrpc, p->n)));
        p->word[setrpc + 1] = patch.word[0];
        put(p, ventus_isa_join(0, 0, 0));
    }
    put(p, ventus_isa_beq(X_NONE, 0, offset(p->n, p->join)));
}

/* As many fragments of a list as fit into so many words, from its number `first` on. */
static void
make_page(struct page *p, const struct list *l, unsigned first, unsigned words)
{
    put_prologue(&p->code);
    p->fragment = l->at + first;
    for (p->fragments = 0;
         first + p->fragments < l->n && p->fragments < FRAGMENTS_MAX &&
         p->code.n + FRAGMENT_WORDS + TAIL_WORDS < words;
         p->fragments++) {
        p->start[p->fragments] = p->code.n;
        put_fragment(&p->code, &p->fragment[p->fragments]);
    }
    put(&p->code, ventus_isa_jal(0, offset(p->code.n, p->code.join)));
}

/* ---- runs ---- */

static void
report(const struct pair *m, const struct page *p, unsigned k, const char *what)
{
    char text[VENTUS_ISA_TEXT_MAX];
    const struct ventus_isa_insn *in = &p->fragment[k];
    ventus_isa_print(in, NULL, text, sizeof text);
    printf("%s%s%s, %u lanes: %s differ\n%s\n%s\n",
           in->prefix ? ventus_isa_info[in->prefix].name : "",
           in->prefix ? " " : "", text, m->lanes, what, m->fault[0].text,
           m->fault[1].text);
    unsigned end = k + 1 < p->fragments ? p->start[k + 1] : p->code.n;
    for (unsigned i = p->start[k]; i < end; i++)
        printf("    .word 0x%08x\n", p->code.word[i]);
}

enum { ROUNDS = 24 };

/* Rows that had no fault. */
static bool through[VENTUS_ISA_OP_COUNT];

/* Starts both at each fragment.  Some rounds end after each number of instructions, or
 * have short turns. */
static bool
try_page(struct pair *m, const struct page *p, struct totals *sum)
{
    static struct table t;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct ventus_sim_launch l = draw_launch(m, round);
        fill_table(&t, m->lanes, round);
        fill_data(m);
        set_limits(m,
                   round % 4 == 3 ? p->code.join - 8 + random_below(14) : 1000,
                   round % 8 == 6 ? 1 + random_below(12) : m->slice);
        for (unsigned k = 0; k < p->fragments; k++) {
            t.x[X_TARGET] = CODE + 4 * p->start[k];
            const char *what = run_both(m, &t, &l);
            sum->runs++;
            sum->ended += !m->fault[0].kind;
            through[p->fragment[k].op] |= !m->fault[0].kind;
            if (what) {
                printf("round %u: ", round);
                report(m, p, k, what);
                return false;
            }
        }
    }
    return true;
}

/* Pages are short and long by turns: the translator treats them differently. */
static bool
try_version(const struct sim_translator *t, enum ventus_isa_version isa,
            bool all, struct totals *sum)
{
    struct list l = { .isa = isa };
    bool same = list_rows(&l);
    shuffle(&l);
    unsigned page = 0;
    for (unsigned first = 0; same && first < l.n; page++) {
        struct page p;
        make_page(&p, &l, first, page % 4 == 3 ? 200 : 900);
        for (unsigned i = 0; same && i < (all ? 4 : 1); i++) {
            struct pair m = open_pair(t, isa, 8u << ((page + i) % 4), &p.code);
            same = try_page(&m, &p, sum);
            same = close_pair(&m, sum) && same;
        }
        first += p.fragments;
    }
    printf("version %u: %u instructions in %u pages\n",
           isa == VENTUS_ISA_V1 ? 1 : 2, l.n, page);
    free(l.at);
    return same;
}

int
main(int argc, char **argv)
{
    const char *why;
    struct native_client *c = native_client_open(0, &why);
    struct totals sum = { .runs = 0 };
    state = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    bool all = argc > 2 && !strcmp(argv[2], "all");
    if (!c) {
        printf("%s\n", why);
        return 77;
    }
    const struct sim_translator *t = native_client_translator(c);
    bool same = try_version(t, VENTUS_ISA_V1, all, &sum) &&
                try_version(t, VENTUS_ISA_V2, all, &sum);
    for (unsigned op = 1; op < VENTUS_ISA_OP_COUNT; op++)
        if (!through[op] && !ventus_isa_is_prefix((enum ventus_isa_op)op)) {
            printf("%s always has a fault\n", ventus_isa_info[op].name);
            same = false;
        }
    native_client_close(c);
    printf(
        "%lu runs, of which %lu have no fault: %llu instructions translated, "
        "%llu interpreted\n",
        sum.runs, sum.ended, (unsigned long long)sum.share.translated,
        (unsigned long long)sum.share.interpreted);
    return !same || !sum.share.translated;
}
