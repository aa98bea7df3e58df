/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of each warp, and their interleaving in upstream's order. */
#include "upstream/log.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/oom.h"

/* A word that a warp has executed: the line before it and the line after. */
struct word {
    uint32_t pc, bits;
    bool barrier, ends;
    /* Offsets and sizes in log_warp.text. */
    size_t before, before_n, after, after_n;
};

enum barrier { BARRIER_NONE, BARRIER_WAITS, BARRIER_ENDED };

struct log_warp {
    struct log_state state;
    struct word *word;
    size_t first, n, cap;
    struct buf text;
    uint32_t last_pc, last_bits;
    unsigned repeats; /* repetitions of the last word */
    enum barrier barrier;
    bool ended;
};

static void
reset_warp(struct log_warp *w)
{
    log_state_reset(&w->state);
    w->first = w->n = 0;
    w->text.n = 0;
    w->last_pc = w->last_bits = UINT32_MAX;
    w->repeats = 1;
    w->barrier = BARRIER_NONE;
    w->ended = false;
}

bool
log_open(struct commit_log *log, FILE *out, unsigned warps, const uint8_t *code,
         uint64_t base, uint64_t size)
{
    *log = (struct commit_log){
        .out = out, .warps = warps, .code = code, .base = base, .size = size
    };
    log->warp = calloc(warps, sizeof *log->warp);
    for (unsigned i = 0; log->warp && i < warps; i++)
        reset_warp(&log->warp[i]);
    return log->warp != NULL;
}

/* ---- words of a warp ---- */

static struct word *
push_word(struct log_warp *w, uint32_t pc, uint32_t bits)
{
    if (w->n == w->cap) {
        size_t cap = w->cap ? 2 * w->cap : 16;
        struct word *bigger = realloc(w->word, cap * sizeof *bigger);
        if (!bigger)
            base_out_of_memory(cap, sizeof *bigger);
        w->word = bigger;
        w->cap = cap;
    }
    assert(w->first <= w->n && w->n < w->cap);
    struct word *word = &w->word[w->n++];
    *word = (struct word){ .pc = pc, .bits = bits, .before = w->text.n };
    return word;
}

static void
add_word(struct log_warp *w, uint32_t pc, uint32_t bits,
         const struct ventus_isa_insn *in, const void *after, size_t after_n)
{
    const struct ventus_isa_print style = { .style = VENTUS_ISA_STYLE_LOG,
                                            .pc = pc };
    char text[VENTUS_ISA_TEXT_MAX];
    struct word *word = push_word(w, pc, bits);
    ventus_isa_print(in, &style, text, sizeof text);
    word->barrier = (ventus_isa_info[in->op].flags & VENTUS_ISA_F_BARRIER) != 0;
    word->ends = (ventus_isa_info[in->op].flags & VENTUS_ISA_F_ENDS) != 0;
    buf_printf(&w->text, "0x%08x (0x%08x) %s\n", pc, bits, text);
    word->before_n = w->text.n - word->before;
    word->after = w->text.n;
    buf_put(&w->text, after, after_n);
    assert(word->before + word->before_n == word->after &&
           "the lines of a word are consecutive");
    word->after_n = after_n;
}

/* ---- upstream's order ---- */

static void
write_word(struct commit_log *log, unsigned core, const struct word *word)
{
    struct log_warp *w = &log->warp[core];
    assert(core < log->warps && w->repeats > 0);
    assert(word->after + word->after_n <= w->text.n);
    if (word->pc == w->last_pc && word->bits == w->last_bits) {
        w->repeats++;
    } else {
        if (w->repeats != 1)
            fprintf(log->out, "core %3u: Executed %u times\n", core,
                    w->repeats);
        fprintf(log->out, "core %3u: %.*s", core, (int)word->before_n,
                (const char *)w->text.at + word->before);
        w->last_pc = word->pc;
        w->last_bits = word->bits;
        w->repeats = 1;
    }
    fprintf(log->out, "core%4u: 3 0x%08x (0x%08x)", core, word->pc, word->bits);
    fwrite(w->text.at + word->after, 1, word->after_n, log->out);
}

/* Drops the first word, and periodically the text of dropped words. */
static void
pop_word(struct log_warp *w)
{
    assert(w->first < w->n);
    enum { MANY = 4096 };
    w->first++;
    if (w->first < w->n && w->first < MANY)
        return;
    size_t gone = w->first < w->n ? w->word[w->first].before : w->text.n;
    assert(gone <= w->text.n && "dropped words are a prefix of the text");
    w->n -= w->first;
    memmove(w->word, w->word + w->first, w->n * sizeof *w->word);
    w->text.n -= gone;
    memmove(w->text.at, w->text.at + gone, w->text.n);
    for (size_t i = 0; i < w->n; i++) {
        w->word[i].before -= gone;
        w->word[i].after -= gone;
    }
    w->first = 0;
}

static bool
all_at_barrier(const struct commit_log *log)
{
    for (unsigned i = 0; i < log->warps; i++)
        if (!log->warp[i].ended && log->warp[i].barrier == BARRIER_NONE)
            return false;
    return true;
}

/* Models upstream's barrier, warp_schedule_t: when all warps have arrived they leave
 * one at a time, each when it executes the barrier again; the last one clears it. */
static bool
leave_barrier(struct commit_log *log, struct log_warp *w)
{
    assert(!w->ended && w->barrier != BARRIER_ENDED &&
           "an ended warp reaches no barrier");
    w->barrier = BARRIER_WAITS;
    if (!all_at_barrier(log))
        return false;
    if (log->passed + log->missing + 1 < log->warps) {
        log->passed++;
        return true;
    }
    for (unsigned i = 0; i < log->warps; i++)
        if (log->warp[i].barrier == BARRIER_WAITS)
            log->warp[i].barrier = BARRIER_NONE;
    log->passed = 0;
    return true;
}

/* Executes the turn of the current warp: writes its next word. */
static void
take_turn(struct commit_log *log)
{
    assert(log->turn < log->warps && !log->warp[log->turn].ended &&
           "ended warps get no turn");
    struct log_warp *w = &log->warp[log->turn];
    struct word word = w->word[w->first];
    write_word(log, log->turn, &word);
    if (word.barrier && !leave_barrier(log, w))
        return;
    if (word.ends) {
        w->ended = true;
        w->barrier = BARRIER_ENDED;
    }
    pop_word(w);
}

/* Executes one instruction of core 0 after its endprg, with its line.  False: it was
 * the last one, or is not of the kind that the ends of programs have. */
static bool
run_end_word(struct commit_log *log, uint32_t *x, uint32_t *pc)
{
    assert(*pc >= log->base && *pc - log->base + 4 <= log->size);
    struct ventus_isa_insn in;
    uint32_t bits, next = *pc + 4;
    memcpy(&bits, log->code + (*pc - log->base), sizeof bits);
    if (!ventus_isa_decode_word(VENTUS_ISA_V1, bits, &in))
        return false;
    uint32_t d = in.reg[VENTUS_ISA_SLOT_D] & 63, imm = (uint32_t)in.imm;
    uint32_t a = x[in.reg[VENTUS_ISA_SLOT_1] & 63];
    if (in.op == VENTUS_ISA_JAL)
        next = *pc + imm;
    else if (in.op == VENTUS_ISA_LUI || in.op == VENTUS_ISA_AUIPC)
        x[d] = (imm << 12) + (in.op == VENTUS_ISA_AUIPC ? *pc : 0);
    else if (in.op == VENTUS_ISA_ADDI)
        x[d] = a + imm;
    else if (in.op != VENTUS_ISA_SW)
        return false;
    x[0] = 0;
    struct buf *line = &log->line;
    line->n = 0;
    if (in.op == VENTUS_ISA_SW)
        buf_printf(line, " mem 0x%08x 0x%08x", a + imm,
                   x[in.reg[VENTUS_ISA_SLOT_2] & 63]);
    else if (in.op != VENTUS_ISA_JAL)
        buf_printf(line, " x%-2u 0x%08x", d, x[d]);
    buf_printf(line, "\n");
    struct log_warp *w = &log->warp[0];
    add_word(w, *pc, bits, &in, line->at, line->n);
    write_word(log, 0, &w->word[w->first]);
    pop_word(w);
    *pc = next;
    return in.op != VENTUS_ISA_SW;
}

/* Continues core 0 after the last endprg until it has notified the host. */
static void
run_end(struct commit_log *log)
{
    enum { MAX_END_WORDS = 32 };
    uint32_t x[64], pc = log->warp[0].last_pc + 4;
    memcpy(x, log->warp[0].state.x, sizeof x);
    for (unsigned i = 0; i < MAX_END_WORDS; i++)
        if (pc < log->base || pc - log->base + 4 > log->size ||
            !run_end_word(log, x, &pc))
            return;
}

/* Ends the workgroup; the next one starts a new machine. */
static void
end_group(struct commit_log *log)
{
    bool complete = log->code != NULL;
    for (unsigned i = 0; i < log->warps; i++)
        complete = complete && log->warp[i].barrier == BARRIER_ENDED;
    if (complete)
        run_end(log);
    for (unsigned i = 0; i < log->warps; i++)
        reset_warp(&log->warp[i]);
    log->turn = log->passed = log->missing = 0;
}

/* Writes all lines that can be written in order now. */
static void
write_ready(struct commit_log *log)
{
    for (;;) {
        unsigned tried = 0;
        while (tried < log->warps && log->warp[log->turn].ended) {
            log->turn = (log->turn + 1) % log->warps;
            tried++;
        }
        if (tried == log->warps) {
            end_group(log);
            return;
        }
        struct log_warp *w = &log->warp[log->turn];
        if (w->first == w->n)
            return; /* the next word of the warp is not known yet */
        take_turn(log);
        log->turn = (log->turn + 1) % log->warps;
    }
}

/* Writes the remaining lines of a workgroup, in which warps that never existed, or
 * that a fault stopped, no longer delay the others. */
static void
flush_group(struct commit_log *log)
{
    for (;;) {
        bool any = false;
        for (unsigned i = 0; i < log->warps; i++)
            any = any || log->warp[i].n;
        if (!any)
            break;
        log->warp[log->turn].ended = true;
        log->missing++;
        write_ready(log);
    }
    end_group(log);
}

static void
take_step(void *ctx)
{
    struct commit_log *log = ctx;
    const struct ventus_sim_step *st = log->step;
    if (st->group != log->group)
        flush_group(log);
    log->group = st->group;
    struct log_warp *w = &log->warp[st->warp % log->warps];
    uint32_t pc = (uint32_t)st->pc;
    if (st->in->prefix) {
        struct ventus_isa_insn prefix = ventus_isa_prefix_of(st->in);
        add_word(w, pc - 4, st->words[0], &prefix, "\n", 1);
    }
    log->line.n = 0;
    log_text(&log->line, &w->state, st);
    add_word(w, pc, st->words[st->in->prefix ? 1 : 0], st->in, log->line.at,
             log->line.n);
    write_ready(log);
}

void
log_step(void *ctx, const struct ventus_sim_step *st)
{
    struct commit_log *log = ctx;
    log->step = st;
    if (!log->incomplete && !oom_call(take_step, log))
        log->incomplete = true;
}

static void
flush_last(void *ctx)
{
    flush_group(ctx);
}

bool
log_close(struct commit_log *log)
{
    if (log->incomplete || !oom_call(flush_last, log)) {
        log->incomplete = true;
        errno = ENOMEM;
    }
    for (unsigned i = 0; i < log->warps; i++) {
        free(log->warp[i].word);
        buf_free(&log->warp[i].text);
    }
    free(log->warp);
    buf_free(&log->line);
    return fflush(log->out) == 0 && !ferror(log->out) && !log->incomplete;
}
