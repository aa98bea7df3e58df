/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every row under every prefix, in both versions: the registers that the
 * disassembly shows are those that the machine reads and writes.
 *
 * An instruction runs alone on a warp whose registers and memory all differ.
 * Then each register that could be meant is changed, one at a time: what
 * changes the outcome is read, what is another value afterwards is written.
 * What is shown is taken from the text.  A combination may be refused by the
 * decoder or be an illegal instruction instead.
 */
#include "prefixed_state.h"

/* ---- which registers are worth to be changed ---- */

static void
find_candidates(const struct walk *k, struct regs *set)
{
    memset(set, 0, sizeof *set);
    for (unsigned slot = 0; slot < 4; slot++)
        for (unsigned n = 0; n < 4; n++)
            for (unsigned high = 0; high < 192; high += 32) {
                unsigned r = (k->in.reg[slot] & 31) + n + high;
                if (r < 64 && r)
                    set->in[r] = true;
                if (r < 256)
                    set->in[64 + r] = true;
            }
    for (unsigned r = 1; r < REGS; r++)
        set->in[r] |= k->shown.in[r];
    set->in[64] = true;
}

/* A value that is another one, but not so far that an address leaves. */
static uint32_t
change(struct walk *k, unsigned state, unsigned r, uint32_t value)
{
    bool access = k->in.op == VENTUS_ISA_JALR ||
                  ventus_isa_info[k->in.op].flags &
                      (VENTUS_ISA_F_LOAD | VENTUS_ISA_F_STORE);
    if (r == 64)
        return value ^ 1;
    if (access && k->addresses.in[r])
        return value ^ 4;
    if (access && k->high.in[r])
        return value ^ 1;
    uint32_t random = random32(k);
    return state % 2 ? value ^ (random | 1) % 32
                     : value ^ (random | 0x80000001);
}

/* ---- what cannot be seen, though it is so ---- */

/* Operands that are written and mean nothing: the table says so; and barriers,
 * whose count is for several warps. */
static bool
has_no_operands(const struct walk *k)
{
    unsigned op = k->in.op;
    return op == VENTUS_ISA_JOIN || op == VENTUS_ISA_ENDPRG ||
           op == VENTUS_ISA_BARRIER || op == VENTUS_ISA_BARRIERSUB ||
           op == VENTUS_ISA_FENCE;
}

static bool
compares(const struct walk *k)
{
    static const char *const names[] = { "seq", "sne", "slt", "sle",
                                         "sgt", "feq", "fne", "flt",
                                         "fle", "fgt", "fge", NULL };
    const char *name = ventus_isa_info[k->in.op].meaning;
    for (unsigned i = 0; names[i]; i++)
        if (starts(name, names[i]))
            return true;
    return ventus_isa_info[k->in.op].flags & VENTUS_ISA_F_BRANCH;
}

/*
 * What has no influence by what the instruction computes: upper halves on the
 * lower half of a result, and under an immediate of and; the upper half of the
 * amount of a shift, and of what is extended; what a shift of 32 or more moves
 * out; a low half below mulh or vsmul; the magnitude where only the sign counts; with abs and neg, |a| == -|b|
 * and more that hardly any operands show.
 */
static bool
is_silent(const struct walk *k, unsigned r)
{
    const struct ventus_isa_insn *in = &k->in;
    const char *name = ventus_isa_info[in->op].meaning;
    enum ventus_isa_slot slot =
        bind_has_vector(in) ? VENTUS_ISA_SLOT_1 : VENTUS_ISA_SLOT_2;
    unsigned reg = in->reg[slot] + (bind_is_vector(in, slot) ? 64 : 0);
    bool modified = in->abs | in->neg;
    static const char *const shifts[] = { "sll",  "srl",  "sra",  "ssrl",
                                          "ssra", "nsrl", "nsra", "nclip" };
    bool shift = false;
    for (unsigned i = 0; i < sizeof shifts / sizeof *shifts; i++)
        shift |= starts(name, shifts[i]);
    if (k->high.in[r] && in->pair &&
        (in->reg[VENTUS_ISA_SLOT_D] % 2 ||
         (!strcmp(name, "and") && in->imm > 0)))
        return true;
    if (shift && (r == reg + 1 || (in->imm && (modified || in->imm > 31))))
        return true;
    if (k->high.in[r] && (starts(name, "zext") || starts(name, "sext")))
        return true;
    if (starts(name, "fsgnj") && in->pair && r == reg)
        return true;
    static const char *const rare[] = { "div",    "rem",  "min",   "max",
                                        "or",     "mulh", "fsqrt", "fsgnj",
                                        "frsqrt", "madc", "msbc",  "nclip" };
    for (unsigned i = 0; modified && i < sizeof rare / sizeof *rare; i++)
        if (starts(name, rare[i]))
            return true;
    if (in->pair && (starts(name, "mulh") || starts(name, "smul")) &&
        !k->high.in[r])
        return true;
    return modified && compares(k);
}

/* ---- a combination ---- */

static bool
check_states(struct walk *k, struct regs *seen, struct regs *wrong)
{
    struct regs candidates;
    bool any = false;
    find_candidates(k, &candidates);
    for (unsigned state = 0; state < STATES; state++) {
        make_state(k, state);
        run_one(k, &k->start, &k->base);
        if (k->base.fault.kind == VENTUS_SIM_FAULT_ILLEGAL)
            continue;
        any = true;
        bool missing = false;
        for (unsigned r = 0; r < REGS; r++) {
            bool hit = false;
            for (unsigned i = 0; i < (r < 64 ? 1 : LANES); i++)
                hit |= *word_of(&k->base, r, i) != *word_of(&k->start, r, i);
            if (!hit && candidates.in[r] && !seen->in[r]) {
                static struct outcome changed;
                changed = k->start;
                for (unsigned i = 0; i < (r < 64 ? 1 : LANES); i++) {
                    uint32_t *word = word_of(&changed, r, i);
                    *word = change(k, state, r, *word);
                }
                run_one(k, &changed, &k->now);
                hit = was_read(k, &changed, r);
            }
            seen->in[r] |= hit;
            wrong->in[r] |= hit && !k->shown.in[r];
            missing |= k->shown.in[r] && !seen->in[r] && !is_silent(k, r);
        }
        if (!missing && state >= 1)
            break;
    }
    return any;
}

static void
complain(const struct walk *k, unsigned r, const char *what)
{
    const char *prefix = k->in.prefix ? ventus_isa_info[k->in.prefix].name : "";
    CHECK(!"a register");
    printf("  version %d: %s (pair=%d abs=%d neg=%d); %s: %c%u %s\n",
           (int)k->version, prefix, k->in.pair, k->in.abs, k->in.neg, k->text,
           r < 64 ? 'x' : 'v', r < 64 ? r : r - 64, what);
}

/*
 * What the model asks before the instruction runs: words of memory that decide
 * what is loaded, and all words that are stored.
 */
static void
check_peek(struct walk *k)
{
    uint64_t at[MEM_WORDS_MAX];
    unsigned bytes = 0;
    uint32_t flags = ventus_isa_info[k->in.op].flags;
    static struct outcome changed;
    make_state(k, 0);
    run_one(k, &k->start, &k->base);
    *k->w = k->start.warp;
    memcpy(k->w->v, k->start.v, sizeof k->start.v);
    const struct sim_op *op = &k->page.ops[0];
    unsigned n = mem_words(k->w, op, warp_op_lanes(k->w, op), at, &bytes),
             hits = 0;
    for (unsigned i = 0; i < n; i++)
        for (unsigned p = 0; p < PLACES; p++) {
            if (at[i] - places[p] >= MEMORY)
                continue;
            hits++;
            changed = k->start;
            changed.memory[p][at[i] - places[p]] ^= 0x11;
            run_one(k, &changed, &k->now);
            bool same =
                !memcmp(k->now.v, k->base.v, sizeof k->now.v) &&
                !memcmp(k->now.warp.x, k->base.warp.x, sizeof k->now.warp.x);
            if (flags & VENTUS_ISA_F_LOAD && same)
                complain(k, 0, "(no register) is what was peeked at");
            memset(&changed.memory[p][at[i] - places[p]], 0xa5, bytes);
            memset(&k->start.memory[p][at[i] - places[p]], 0xa5, bytes);
            memset(&k->base.memory[p][at[i] - places[p]], 0xa5, bytes);
        }
    if (hits != n || (!n && k->base.fault.kind == VENTUS_SIM_FAULT_NONE))
        complain(k, 0, "(no register): an address peeked at is no memory");
    if (memcmp(k->start.memory, k->base.memory, sizeof k->base.memory) != 0)
        complain(k, 0, "(no register) stores to an unexpected address");
}

/* Decodes, binds and compares prefix and word. */
static void
try_words(struct walk *k, uint32_t prefix, uint32_t word)
{
    uint32_t *words = k->page.words;
    struct regs seen = { { false } }, wrong = { { false } };
    unsigned n = 0;
    if (prefix)
        words[n++] = prefix;
    words[n++] = word;
    k->words = ventus_isa_decode(k->version, words, n, &k->in);
    if (!k->words) {
        k->refused++;
        CHECK(ventus_isa_refused(k->version, words, n) != NULL);
        return;
    }
    if (k->words < n) { /* only what the draft says of pre_m */
        k->ignored++;
        CHECK_EQ(ventus_isa_info[k->in.op].format, VENTUS_ISA_FORMAT_PREM);
        return;
    }
    bind_op(k->m->sim, CODE, k->words, &k->in, &k->page.ops[0]);
    read_text(k);
    if (!check_states(k, &seen, &wrong)) {
        k->illegal++;
        return;
    }
    k->ran++;
    for (unsigned r = 1; r < REGS && !has_no_operands(k); r++) {
        if (wrong.in[r])
            complain(k, r, "is not shown");
        if (k->shown.in[r] && !seen.in[r] && !is_silent(k, r))
            complain(k, r, "is shown and makes no difference");
    }
    if (ventus_isa_info[k->in.op].flags &
        (VENTUS_ISA_F_LOAD | VENTUS_ISA_F_STORE))
        check_peek(k);
}

/* ---- all combinations ---- */

/* The row's word with registers of their own: even or odd by bits of `odd`. */
static uint32_t
make_word(const struct walk *k, unsigned op, unsigned odd)
{
    static const uint8_t reg[4] = { 4, 12, 20, 26 };
    struct ventus_isa_insn in;
    uint32_t words[2];
    ventus_isa_decode_word(k->version, ventus_isa_info[op].match, &in);
    const struct ventus_isa_format_info *f =
        &ventus_isa_formats[ventus_isa_info[op].format];
    for (unsigned i = 0; i < f->fields; i++) {
        const struct ventus_isa_field *field = &ventus_isa_fields[f->field[i]];
        unsigned m = field->member;
        if (m <= VENTUS_ISA_MEMBER_3)
            ventus_isa_set(&in, field,
                           reg[m] + (field->scale ? 0 : odd >> m & 1));
        else if (m == VENTUS_ISA_MEMBER_IMM)
            ventus_isa_set(&in, field,
                           field->kind == VENTUS_ISA_KIND_B ||
                                   field->kind == VENTUS_ISA_KIND_J
                               ? 64
                           : field->is_signed ? 8
                                              : 5);
        else if (m == VENTUS_ISA_MEMBER_VM)
            in.vm = odd != 3;
    }
    if (ventus_isa_info[op].unit == VENTUS_ISA_UNIT_CSR)
        in.aux = in.op == VENTUS_ISA_VSETVLI || in.op == VENTUS_ISA_VSETIVLI
                     ? 0xd0
                     : VENTUS_ISA_CSR_MTVEC;
    in.rm = ventus_isa_info[op].flags & VENTUS_ISA_F_ROUNDS && in.rm == 0
                ? 0
                : in.rm;
    return ventus_isa_encode(&in, words) == 1 ? words[0] : 0;
}

/* Bits 31:20 of a prefix: no registers, or 32 and up, that exist. */
static uint32_t
make_ext(const struct walk *k, unsigned op, bool imm, unsigned high)
{
    struct ventus_isa_insn in;
    ventus_isa_decode_word(k->version, ventus_isa_info[op].match, &in);
    static const uint8_t vector[4] = { 1, 2, 3, 5 }, shift[4] = { 0, 3, 6, 9 };
    static const int8_t with_imm[4] = { 0, -1, 3, -1 };
    uint32_t ext = 0;
    const struct ventus_isa_format_info *f =
        &ventus_isa_formats[ventus_isa_info[op].format];
    for (unsigned i = 0; i < f->fields && high; i++) {
        const struct ventus_isa_field *field = &ventus_isa_fields[f->field[i]];
        unsigned m = field->member;
        bool v = field->kind == VENTUS_ISA_KIND_V ||
                 (field->kind == VENTUS_ISA_KIND_A && !k->scalar_amo);
        if (m > VENTUS_ISA_MEMBER_3 || (imm && with_imm[m] < 0))
            continue;
        ext |= (uint32_t)(v ? vector[m] : 1) << (imm ? with_imm[m] : shift[m]);
    }
    if (ventus_isa_info[op].flags & VENTUS_ISA_F_ACCUM && !imm && high)
        ext |= 4u << 9; /* vs3 is another register than vd */
    return ext;
}

static void
try_prefixes(struct walk *k, unsigned op, uint32_t word, unsigned odd,
             unsigned high)
{
    for (unsigned p = 1; p < VENTUS_ISA_OP_COUNT; p++) {
        const struct ventus_isa_info *info = &ventus_isa_info[p];
        if (!(info->flags & VENTUS_ISA_F_PREFIX) ||
            !(info->versions & k->version))
            continue;
        bool imm = info->format == VENTUS_ISA_FORMAT_EXTI ||
                   info->format == VENTUS_ISA_FORMAT_PREFIXI;
        bool plain = info->format == VENTUS_ISA_FORMAT_EXT ||
                     info->format == VENTUS_ISA_FORMAT_EXTI;
        bool pre_m = info->format == VENTUS_ISA_FORMAT_PREM;
        if (pre_m && high != odd % 2)
            continue; /* 16 rows, which differ by little */
        uint32_t bits = info->match | make_ext(k, op, imm, high) << 20;
        if (imm && high)
            bits |= 1u << 26;
        try_words(k, bits, word);
        if (imm && high)
            try_words(k, bits & ~(1u << 26), word);
        if (!plain)
            try_words(k, bits | 1u << 19, word);
        if (plain || pre_m || imm)
            continue;
        for (unsigned mods = 1; high && mods < 64; mods <<= 1)
            try_words(k, bits | mods << 13, word);
        try_words(k, bits | 1u << 19 | 1u << 17 | 1u << 14, word);
    }
}

static void
try_row(struct walk *k, unsigned op)
{
    for (unsigned odd = 0; odd < 16; odd += 5) {
        uint32_t word = make_word(k, op, odd);
        if (!CHECK(word))
            continue;
        try_words(k, 0, word);
        for (unsigned high = 0; high < 2; high++)
            try_prefixes(k, op, word, odd, high);
    }
}

static void
open_walk(struct walk *k)
{
    struct ventus_sim_config config = { .isa = k->version,
                                        .num_thread = LANES,
                                        .scalar_amo = k->scalar_amo };
    k->m = machine(&config);
    put(k->m, ventus_isa_endprg(0, 0, 0));
    CHECK(ventus_sim_write(k->m->sim, CODE, k->m->word, 4));
    CHECK(ventus_sim_map(k->m->sim, HIGH + DATA, 0x10000,
                         VENTUS_SIM_READ | VENTUS_SIM_WRITE));
    k->m->launch.pds_base = DATA;
    k->m->launch.pds_size_B = PDS_SIZE;
    k->stepper = step_open(k->m->sim, &k->m->launch, 1, &k->m->fault);
    CHECK(k->stepper != NULL);
    step_start(k->stepper, 0, 0);
    /* The warp, which the stepper shows no more of than its registers. */
    const uint32_t *x = step_registers(k->stepper, 0, 0).x;
    k->w = (struct sim_warp *)((uintptr_t)x - offsetof(struct sim_warp, x));
    mmu_set_local(k->w->mmu, &k->w->group->local);
    for (unsigned p = 0; p < PLACES; p++)
        k->host[p] = mmu_at(k->w->mmu, places[p], 4, MMU_WRITE);
    k->page.base = CODE;
    k->page.valid = true;
    k->page.n = 2;
    k->w->page = &k->page;
    k->w->gds = DATA;
    k->w->mtvec = 0x12345678;
    k->clean = *k->w;
}

static void
walk(enum ventus_isa_version version, bool scalar_amo)
{
    struct walk *k = calloc(1, sizeof *k);
    k->version = version;
    k->scalar_amo = scalar_amo;
    k->seed = 1;
    open_walk(k);
    for (unsigned op = 1; op < VENTUS_ISA_OP_COUNT; op++)
        if (ventus_isa_info[op].versions & version &&
            !(ventus_isa_info[op].flags & VENTUS_ISA_F_PREFIX) &&
            (!scalar_amo || ventus_isa_info[op].flags & VENTUS_ISA_F_ATOMIC))
            try_row(k, op);
    printf("  version %d: %u ran, %u refused, %u illegal, %u without effect\n",
           (int)version, k->ran, k->refused, k->illegal, k->ignored);
    CHECK(k->ran > (scalar_amo ? 300 : 5000));
    step_close(k->stepper);
    machine_free(k->m);
    free(k);
}

TEST(what_is_shown_is_read_or_written_in_version_1)
{
    walk(VENTUS_ISA_V1, false);
}

TEST(what_is_shown_is_read_or_written_in_version_2)
{
    walk(VENTUS_ISA_V2, false);
}

TEST(what_is_shown_is_read_or_written_by_scalar_atomics)
{
    walk(VENTUS_ISA_V1, true);
    walk(VENTUS_ISA_V2, true);
}

TEST_MAIN
