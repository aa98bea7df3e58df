/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads and stores of every kind, lane by lane: several words a lane (pre_m_64
 * ...), 64-bit addresses, the spaces of pre_m, scalar ones; and the accesses
 * that the fast loops of lanes_mem.c do not cover.
 *
 * An access of several words is a sequence of accesses of one word: it needs the
 * alignment of a word, and in private memory each word is interleaved
 * separately.
 */
#include <assert.h>
#include <string.h>

#include "sim/any_width.h"
#include "sim/lanes.h"
#include "sim/state.h"

enum mem_mode
mem_mode_of(unsigned op)
{
    switch (ventus_isa_info[op].format) {
    case VENTUS_ISA_FORMAT_VLP:
    case VENTUS_ISA_FORMAT_VSP:
        return MODE_PRIVATE;
    case VENTUS_ISA_FORMAT_VL:
    case VENTUS_ISA_FORMAT_VS:
        return MODE_UNIT;
    case VENTUS_ISA_FORMAT_VLS:
    case VENTUS_ISA_FORMAT_VSS:
        return MODE_STRIDE;
    case VENTUS_ISA_FORMAT_VLX:
    case VENTUS_ISA_FORMAT_VSX:
        return MODE_INDEX;
    default:
        return MODE_OFFSET;
    }
}

/* The kind of a word of the access; an indexed one moves elements of SEW bits. */
static enum mem_kind
kind_now(const struct sim_warp *w, const struct sim_op *op)
{
    if (ventus_isa_info[op->code].flags & VENTUS_ISA_F_ATOMIC)
        return MEM_W;
    if (mem_mode_of(op->code) != MODE_INDEX || op->width > 1)
        return (enum mem_kind)op->kind;
    return w->sew == 8 ? MEM_BU : w->sew == 16 ? MEM_HU : MEM_W;
}

static unsigned
word_bytes(const struct sim_warp *w, const struct sim_op *op)
{
    enum mem_kind kind = kind_now(w, op);
    return kind == MEM_W ? 4 : kind == MEM_H || kind == MEM_HU ? 2 : 1;
}

unsigned
mem_bytes(const struct sim_warp *w, const struct sim_op *op)
{
    if (!(ventus_isa_info[op->code].flags &
          (VENTUS_ISA_F_LOAD | VENTUS_ISA_F_STORE)))
        return 0;
    return word_bytes(w, op) * (op->width > 1 ? op->width : 1);
}

static bool
is_private(const struct sim_op *op)
{
    return mem_mode_of(op->code) == MODE_PRIVATE ||
           op->space == VENTUS_ISA_SPACE_PRIVATE;
}

/* The host address of word k of an access to private memory. */
static uint64_t
private_offset(const struct sim_op *op, uint64_t base, unsigned k)
{
    uint64_t offset = base + (uint64_t)4 * k;
    return op->aux & MEM_WIDE_ADDRESS ? offset : (uint32_t)offset;
}

static bool
is_in_padding(const struct sim_warp *w, uint64_t offset)
{
    return offset >= w->pds_size_B &&
           offset - w->pds_size_B < w->group->padding.bytes;
}

bool
mem_is_private_padding(const struct sim_warp *w, const struct sim_op *op,
                       uint64_t base, unsigned k, uint64_t *offset)
{
    if (!is_private(op))
        return false;
    *offset = private_offset(op, base, k);
    return is_in_padding(w, *offset);
}

uint64_t
mem_into_space(const struct sim_warp *w, const struct sim_op *op, uint64_t at,
               unsigned lane, unsigned word)
{
    assert(lane < w->lanes && word < MEM_LANE_WORDS);
    bool narrow = !(op->aux & MEM_WIDE_ADDRESS);
    at += (uint64_t)4 * word;
    if (is_private(op)) {
        uint64_t thread = w->id * w->num_thread + lane;
        if (is_in_padding(w, narrow ? (uint32_t)at : at))
            at = w->pds_size_B - 4 + (at & 3);
        at = w->group->pds + (at & ~UINT64_C(3)) * mem_group_threads(w) +
             (at & 3) + 4 * thread;
    } else if (op->space == VENTUS_ISA_SPACE_LOCAL) {
        at += SIM_LOCAL_BASE;
    } else if (op->space == VENTUS_ISA_SPACE_GLOBAL) {
        at += w->gds;
    }
    return narrow ? (uint32_t)at : at;
}

/* Base addresses, before into_space. */
static void
bases(const struct sim_warp *w, const struct sim_op *op, unsigned n,
      uint64_t *at)
{
    unsigned width = op->aux & MEM_WIDE_ADDRESS ? 64 : 32;
    any_width_read(w, op, VENTUS_ISA_SLOT_1, n, width, at);
    uint64_t index[SIM_LANES_MAX];
    switch (mem_mode_of(op->code)) {
    case MODE_OFFSET:
    case MODE_PRIVATE:
        for (unsigned i = 0; i < n; i++)
            at[i] += (uint64_t)(int64_t)op->imm;
        break;
    case MODE_UNIT:
        for (unsigned i = 0; i < n; i++)
            at[i] += (uint64_t)i * mem_bytes(w, op);
        break;
    case MODE_STRIDE:
        for (unsigned i = 0; i < n; i++)
            at[i] += (uint64_t)(int64_t)(int32_t)w->x[op->s2] * i;
        break;
    case MODE_INDEX:
        any_width_read(w, op, VENTUS_ISA_SLOT_2, n, 32, index);
        for (unsigned i = 0; i < n; i++)
            at[i] += index[i] & mem_index_mask(op);
        break;
    case MODE_COUNT:
        break;
    }
}

/* An access with one address for the warp: a scalar one, or an atomic that is one. */
static bool
is_once(const struct sim_warp *w, const struct sim_op *op)
{
    bool atomic = ventus_isa_info[op->code].flags & VENTUS_ISA_F_ATOMIC;
    return atomic ? w->worker->sim->config.scalar_amo : op->aux & MEM_SCALAR;
}

void
mem_addresses(const struct sim_warp *w, const struct sim_op *op,
              uint64_t at[SIM_LANES_MAX])
{
    if (op->aux & MEM_PLAIN) {
        const uint32_t *v = w->v + (size_t)op->s1 * w->lanes;
        for (unsigned i = 0; i < w->lanes; i++)
            at[i] = v[i] + (uint32_t)op->imm;
        return;
    }
    bool atomic = ventus_isa_info[op->code].flags & VENTUS_ISA_F_ATOMIC;
    unsigned n = is_once(w, op) ? 1 : w->lanes;
    if (atomic)
        atomic_bases(w, op, at);
    else
        bases(w, op, n, at);
    for (unsigned i = 0; i < n; i++)
        at[i] = mem_into_space(w, op, at[i], i, 0);
}

unsigned
mem_single_words(const struct sim_warp *w, const struct sim_op *op,
                 uint64_t exec, uint64_t base[SIM_LANES_MAX],
                 uint64_t at[SIM_LANES_MAX], unsigned *bytes)
{
    unsigned n = 0;
    *bytes = mem_bytes(w, op);
    assert(op->width <= 1);
    if (!*bytes)
        return 0;
    mem_addresses(w, op, base);
    for (exec = is_once(w, op) ? 1 : exec; exec; exec &= exec - 1)
        at[n++] = base[__builtin_ctzll(exec)];
    return n;
}

unsigned
mem_words(const struct sim_warp *w, const struct sim_op *op, uint64_t exec,
          uint64_t at[MEM_WORDS_MAX], unsigned *bytes)
{
    uint64_t base[SIM_LANES_MAX];
    bool atomic = ventus_isa_info[op->code].flags & VENTUS_ISA_F_ATOMIC;
    unsigned words = op->width, n = 0;
    if (words <= 1)
        return mem_single_words(w, op, exec, base, at, bytes);
    if (!mem_bytes(w, op))
        return 0;
    assert(words <= MEM_LANE_WORDS);
    *bytes = mem_bytes(w, op) / words;
    if (atomic)
        atomic_bases(w, op, base);
    else
        bases(w, op, op->aux & MEM_SCALAR ? 1 : w->lanes, base);
    for (exec = is_once(w, op) ? 1 : exec; exec; exec &= exec - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(exec);
        for (unsigned k = 0; k < words; k++)
            at[n++] = mem_into_space(w, op, base[lane], lane, k);
    }
    assert(n <= MEM_WORDS_MAX);
    return n;
}

/* ---- one word ---- */

bool
mem_check_space(struct sim_warp *w, const struct sim_op *op, uint64_t base,
                unsigned k, int lane, unsigned access)
{
    if (!is_private(op))
        return true;
    uint64_t offset = private_offset(op, base, k), end;
    bool fits = !__builtin_add_overflow(offset, word_bytes(w, op), &end) &&
                (mem_private_fits(w, end, access == MMU_WRITE) ||
                 (offset >= w->pds_size_B &&
                  end - w->pds_size_B <= w->group->padding.bytes));
    if (!fits)
        warp_fault(w, op, VENTUS_SIM_FAULT_PRIVATE, lane, offset);
    return fits;
}

static uint8_t *
word_at(struct sim_warp *w, const struct sim_op *op, uint64_t at, int lane,
        unsigned bytes, unsigned access)
{
    assert(bytes && !(bytes & (bytes - 1)));
    if (at & (bytes - 1)) {
        warp_fault(w, op, VENTUS_SIM_FAULT_MISALIGNED, lane, at);
        return NULL;
    }
    uint8_t *host = mmu_at(w->mmu, at, bytes, access);
    return host ? host : padding_at(w, op, at, lane, bytes, access);
}

static uint32_t
get(const uint8_t *host, unsigned bytes)
{
    uint16_t h;
    uint32_t x;
    if (bytes == 1)
        return *host;
    if (bytes == 2) {
        memcpy(&h, host, 2);
        return h;
    }
    assert(bytes == 4 && "the widest word");
    memcpy(&x, host, 4);
    return x;
}

const struct sim_op *
mem_load_each(struct sim_warp *w, const struct sim_op *op, const uint32_t *at,
              uint64_t exec, unsigned bytes, uint32_t *result)
{
    for (uint64_t rest = exec; rest; rest &= rest - 1) {
        int i = __builtin_ctzll(rest);
        uint8_t *host = word_at(w, op, at[i], i, bytes, MMU_READ);
        if (!host)
            return NULL;
        result[i] = get(host, bytes);
    }
    return op;
}

const struct sim_op *
mem_store_each(struct sim_warp *w, const struct sim_op *op, const uint32_t *at,
               uint64_t exec, unsigned bytes, const uint32_t *data)
{
    for (uint64_t rest = exec; rest; rest &= rest - 1) {
        int i = __builtin_ctzll(rest);
        uint8_t *host = word_at(w, op, at[i], i, bytes, MMU_WRITE);
        if (!host)
            return NULL;
        memcpy(host, &data[i], bytes);
    }
    return op;
}

/* ---- all words of all lanes ---- */

static uint32_t
extend(uint32_t x, unsigned kind)
{
    return kind == MEM_B   ? (uint32_t)(int8_t)x
           : kind == MEM_H ? (uint32_t)(int16_t)x
                           : x;
}

/* Moves word k of every lane between memory and data. */
static bool
move_word(struct sim_warp *w, const struct sim_op *op, const uint64_t *base,
          uint64_t exec, unsigned k, unsigned access, uint32_t *data)
{
    unsigned bytes = word_bytes(w, op);
    for (uint64_t rest = exec; rest; rest &= rest - 1) {
        int i = __builtin_ctzll(rest);
        uint64_t at = mem_into_space(w, op, base[i], (unsigned)i, k);
        int lane = op->aux & MEM_SCALAR ? -1 : i;
        if (!mem_check_space(w, op, base[i], k, lane, access))
            return false;
        uint64_t offset;
        uint8_t *host =
            mem_is_private_padding(w, op, base[i], k, &offset) &&
                    offset % bytes == 0
                ? padding_private(w, op, offset, lane, bytes, access)
                : word_at(w, op, at, lane, bytes, access);
        if (!host)
            return false;
        if (access == MMU_READ)
            data[i] = extend(get(host, bytes), kind_now(w, op));
        else
            memcpy(host, &data[i], bytes);
    }
    return true;
}

/* The registers of an access of several words: r, r + 1, ... */
static void
write_words(struct sim_warp *w, const struct sim_op *op, uint64_t exec,
            unsigned words, uint32_t (*data)[SIM_LANES_MAX])
{
    assert(op->d == X_SINK ||
           op->d + words <= (op->aux & MEM_SCALAR ? SIM_XREGS : SIM_VREGS));
    for (unsigned k = 0; k < words; k++) {
        if (op->aux & MEM_SCALAR) {
            w->x[op->d == X_SINK ? X_SINK : op->d + k] = data[k][0];
            continue;
        }
        uint32_t *d = w->v + (size_t)(op->d + k) * w->lanes;
        for (uint64_t rest = exec; rest; rest &= rest - 1)
            d[__builtin_ctzll(rest)] = data[k][__builtin_ctzll(rest)];
    }
}

/* Words of lanes that are all in one span of host memory. */
struct block {
    uint8_t *host[SIM_LANES_MAX]; /* of word 0 of an active lane */
    uint64_t step;                /* from a word of a lane to its next */
};

/* Private offsets of the active lanes that do not wrap, up to the last word. */
static bool
fits_private(struct sim_warp *w, const uint64_t *base, uint64_t exec,
             unsigned words, unsigned access)
{
    uint64_t most = 0;
    for (; exec; exec &= exec - 1) {
        uint64_t x = base[__builtin_ctzll(exec)];
        most = x > most ? x : most;
    }
    return most < UINT32_MAX / 2 &&
           mem_private_fits(w, most + (uint64_t)4 * words, access == MMU_WRITE);
}

/*
 * The kind of most accesses, found without a check for each word; false: it is to
 * be done word by word, which also finds what is wrong.
 */
static bool
find_block(struct sim_warp *w, const struct sim_op *op, const uint64_t *base,
           uint64_t exec, unsigned words, unsigned access, struct block *b)
{
    uint64_t at[SIM_LANES_MAX], lo = UINT64_MAX, hi = 0, odd = 0;
    if (!exec || word_bytes(w, op) != 4 ||
        (is_private(op) && !fits_private(w, base, exec, words, access)))
        return false;
    b->step = is_private(op) ? (uint64_t)4 * mem_group_threads(w) : 4;
    for (uint64_t rest = exec; rest; rest &= rest - 1) {
        int i = __builtin_ctzll(rest);
        at[i] = mem_into_space(w, op, base[i], (unsigned)i, 0);
        lo = at[i] < lo ? at[i] : lo;
        hi = at[i] > hi ? at[i] : hi;
        odd |= at[i];
    }
    uint64_t available = b->step * (words - 1) + 4;
    bool narrow = !(op->aux & MEM_WIDE_ADDRESS);
    if (odd & 3 || hi > (narrow ? UINT32_MAX : UINT64_MAX) - available)
        return false;
    const struct sim_span *span = mmu_span(w->mmu, lo, 4, access);
    if (!span || hi - span->lo >= span->size ||
        span->size - (hi - span->lo) < available)
        return false;
    for (uint64_t rest = exec; rest; rest &= rest - 1) {
        int i = __builtin_ctzll(rest);
        b->host[i] = span->host + (at[i] - span->lo);
    }
    return true;
}

static void
load_block(struct sim_warp *w, const struct sim_op *op, const struct block *b,
           uint64_t exec, unsigned words)
{
    bool scalar = op->aux & MEM_SCALAR;
    uint32_t *d = scalar ? &w->x[op->d] : w->v + (size_t)op->d * w->lanes;
    size_t next = scalar ? op->d != X_SINK : w->lanes;
    for (unsigned k = 0; k < words; k++, d += next)
        for (uint64_t rest = exec; rest; rest &= rest - 1) {
            int i = __builtin_ctzll(rest);
            memcpy(d + i, b->host[i] + k * b->step, 4);
        }
}

static void
store_block(struct sim_warp *w, const struct sim_op *op, const struct block *b,
            uint64_t exec, unsigned words)
{
    bool scalar = op->aux & MEM_SCALAR;
    unsigned r = op->aux & MEM_DATA_S2 ? op->s2 : op->d;
    const uint32_t *s = scalar ? &w->x[r] : w->v + (size_t)r * w->lanes;
    size_t next = scalar ? r != 0 : w->lanes;
    for (unsigned k = 0; k < words; k++, s += next)
        for (uint64_t rest = exec; rest; rest &= rest - 1) {
            int i = __builtin_ctzll(rest);
            memcpy(b->host[i] + k * b->step, s + i, 4);
        }
}

const struct sim_op *
mem_lanewise_load(struct sim_warp *w, const struct sim_op *op)
{
    uint64_t base[SIM_LANES_MAX];
    uint32_t data[4][SIM_LANES_MAX];
    struct block b;
    bool scalar = op->aux & MEM_SCALAR;
    uint64_t exec = scalar ? 1 : warp_op_lanes(w, op);
    unsigned words = op->width ? op->width : 1;
    assert(words <= sizeof data / sizeof *data);
    bases(w, op, scalar ? 1 : w->lanes, base);
    if (find_block(w, op, base, exec, words, MMU_READ, &b)) {
        load_block(w, op, &b, exec, words);
        return op + op->words;
    }
    for (unsigned k = 0; k < words; k++)
        if (!move_word(w, op, base, exec, k, MMU_READ, data[k]))
            return NULL;
    write_words(w, op, exec, words, data);
    return op + op->words;
}

const struct sim_op *
mem_lanewise_store(struct sim_warp *w, const struct sim_op *op)
{
    uint64_t base[SIM_LANES_MAX];
    uint32_t data[SIM_LANES_MAX];
    struct block b;
    bool scalar = op->aux & MEM_SCALAR;
    uint64_t exec = scalar ? 1 : warp_op_lanes(w, op);
    unsigned words = op->width ? op->width : 1;
    unsigned r = op->aux & MEM_DATA_S2 ? op->s2 : op->d;
    assert(r + words <= (scalar ? SIM_XREGS : SIM_VREGS));
    bases(w, op, scalar ? 1 : w->lanes, base);
    if (find_block(w, op, base, exec, words, MMU_WRITE, &b)) {
        store_block(w, op, &b, exec, words);
        return op + op->words;
    }
    for (unsigned k = 0; k < words; k++) {
        if (scalar)
            data[0] = w->x[r ? r + k : 0];
        else
            memcpy(data, w->v + (size_t)(r + k) * w->lanes,
                   w->lanes * sizeof *data);
        if (!move_word(w, op, base, exec, k, MMU_WRITE, data))
            return NULL;
    }
    return op + op->words;
}
