/* SPDX-License-Identifier: Apache-2.0 */
/* How a run ended, in words. */
#include <assert.h>
#include <inttypes.h>

#include "isa/words.h"
#include "obj/elf.h"
#include "tile/thread.h"

/* "1f40 <main+12>": the function that an address is in. */
static void
print_place(const struct ventus_tile_machine *m, FILE *out, uint64_t pc)
{
    const struct elf *e = m->elf;
    const struct elf_symbol *best = NULL;
    for (size_t i = 0; e && i < e->n_symbols; i++) {
        const struct elf_symbol *s = &e->symbol[i];
        if (s->section && s->section < ELF_SHN_RESERVED && s->value <= pc &&
            s->name[0] && s->name[0] != '$' &&
            (s->type == ELF_STT_FUNC || s->type == ELF_STT_NOTYPE) &&
            (!best || s->value > best->value))
            best = s;
    }
    fprintf(out, "%" PRIx64, pc);
    if (best)
        fprintf(out, " <%s+%" PRIu64 ">", best->name, pc - best->value);
}

/* The tile instruction at a pc, as text. */
static void
print_insn(const struct ventus_tile_machine *m, FILE *out, uint64_t pc)
{
    uint32_t words[VENTUS_TILE_WORDS_MAX] = { 0 };
    struct ventus_tile_insn in;
    char text[VENTUS_TILE_TEXT_MAX];
    for (unsigned i = 0; i < VENTUS_TILE_WORDS_MAX; i++)
        ventus_tile_read(m, pc + 4 * i, &words[i], 4);
    print_place(m, out, pc);
    if (!ventus_tile_decode(words, VENTUS_TILE_WORDS_MAX, &in))
        return;
    ventus_tile_print(&in, NULL, text, sizeof text);
    fprintf(out, "  %s", text);
}

static void
print_fault(const struct ventus_tile_machine *m, FILE *out)
{
    static const char *const causes[] = {
        [VENTUS_TILE_CAUSE_FETCH] = "no code at",
        [VENTUS_TILE_CAUSE_ILLEGAL] = "illegal instruction",
        [VENTUS_TILE_CAUSE_BREAK] = "breakpoint at",
        [VENTUS_TILE_CAUSE_LOAD_MISALIGNED] = "misaligned load from",
        [VENTUS_TILE_CAUSE_LOAD] = "load from no memory",
        [VENTUS_TILE_CAUSE_STORE_MISALIGNED] = "misaligned store to",
        [VENTUS_TILE_CAUSE_STORE] = "store to no memory"
    };
    const struct ventus_tile_fault *f = &m->fault;
    fprintf(out, "fault: %s 0x%" PRIx64 " in PE %u thread %u\n  at ",
            causes[f->cause], f->value, f->pe, f->thread);
    print_insn(m, out, f->pc);
    fputc('\n', out);
}

static void
print_hazard(const struct ventus_tile_machine *m, FILE *out,
             const struct ventus_tile_hazard *h)
{
    assert(h->first < VENTUS_TILE_UNIT_COUNT);
    const char *first = h->first_writes ? "written" : "read";
    fprintf(out, "hazard: PE %u thread %u: ", h->pe, h->thread);
    if (h->reg >= 0)
        fprintf(out, "tr%d is %s", h->reg,
                h->second_writes ? "written" : "read");
    else if (h->second_pc)
        fprintf(out, "memory 0x%" PRIx64 " is %s", h->address,
                h->second_writes ? "written" : "read");
    else
        fprintf(out, "the thread ends");
    fprintf(out, " while it is being %s%s by the %s unit, without t_wait",
            first, h->second_pc ? "" : " (memory)", tile_words.units[h->first]);
    fputs("\n  first   ", out);
    print_insn(m, out, h->first_pc);
    if (h->second_pc) {
        fputs("\n  second  ", out);
        print_insn(m, out, h->second_pc);
    }
    fputc('\n', out);
}

/* The threads that wait, and those they wait for. */
static void
print_waiting(const struct ventus_tile_machine *m, FILE *out,
              const struct tile_thread *t)
{
    const struct thread_waiting *w = &t->waiting;
    assert(w->on && w->id < THREAD_SYNCS);
    const struct tile_sync *s =
        w->scope ? &m->cluster[w->id] : &m->pe[t->pe].sync[w->id];
    fprintf(out,
            "  PE %u thread %u waits at t_sync %u (%s), generation "
            "%" PRIu64 ", for",
            t->pe, t->index, w->id, w->scope ? "cluster" : "CTA",
            w->generation);
    for (unsigned q = 0; q < VENTUS_TILE_PES * VENTUS_TILE_THREADS; q++) {
        if (!(w->mask >> q & 1) || s->arrivals[q] >= w->generation)
            continue;
        unsigned pe = w->scope ? q / VENTUS_TILE_THREADS : t->pe;
        unsigned index = w->scope ? q % VENTUS_TILE_THREADS : q;
        bool there = pe < m->options.pes && index < m->options.threads;
        const struct tile_thread *other =
            there ? &m->thread[pe * m->options.threads + index] : NULL;
        fprintf(out, " PE %u thread %u%s", pe, index,
                !there            ? " (is not there)"
                : !other->running ? " (has ended)"
                                  : "");
    }
    fputs("\n    at ", out);
    print_insn(m, out, t->hart.pc);
    fputc('\n', out);
}

void
ventus_tile_report(const struct ventus_tile_machine *m, FILE *out)
{
    switch (m->end) {
    case VENTUS_TILE_FAULTED:
        print_fault(m, out);
        break;
    case VENTUS_TILE_DEADLOCK:
        fputs("deadlock: no thread can go on\n", out);
        for (unsigned i = 0; i < m->threads; i++)
            if (m->thread[i].running && m->thread[i].waiting.on)
                print_waiting(m, out, &m->thread[i]);
        break;
    case VENTUS_TILE_NO_MEMORY:
        fputs("out of memory: the host has none to go on\n", out);
        break;
    case VENTUS_TILE_EXITED:
    case VENTUS_TILE_HAZARD:
        break;
    case VENTUS_TILE_LIMIT:
        break;
    }
    for (size_t i = 0; i < m->check.hazards; i++)
        print_hazard(m, out, &m->check.hazard[i]);
    if (!m->ended)
        fputs("stopped: the limit of instructions is reached\n", out);
}
