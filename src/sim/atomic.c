/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Atomics: every active lane in ascending order on vectors, or once a warp on
 * x registers (config.scalar_amo).  Each is a sequentially consistent atomic
 * of the host, so aq and rl add nothing.  A prefix of 64 bits makes it one of two
 * words (decision 13), which is one operation of the host, too.
 *
 * lr records address and value, for each lane.  sc stores if the lane's
 * address is the recorded one and the word still has that value; it does
 * not detect a word that changed and changed back.  A store by sc ends the
 * reservations that other lanes of the warp have on the same word.
 */
#include <assert.h>
#include <stdatomic.h>

#include "sim/any_width.h"
#include "sim/bind.h"
#include "sim/state.h"

enum amo_kind {
    AMO_LR,
    AMO_SC,
    AMO_SWAP,
    AMO_ADD,
    AMO_XOR,
    AMO_AND,
    AMO_OR,
    AMO_MIN,
    AMO_MAX,
    AMO_MINU,
    AMO_MAXU
};

/* The new value of a read-modify-write of 32 or of 64 bits. */
#define COMBINE(T, BITS)                               \
    static T combine_##BITS(unsigned kind, T old, T x) \
    {                                                  \
        switch ((enum amo_kind)kind) {                 \
        case AMO_ADD:                                  \
            return sem_add_##BITS(old, x);             \
        case AMO_XOR:                                  \
            return sem_xor_##BITS(old, x);             \
        case AMO_AND:                                  \
            return sem_and_##BITS(old, x);             \
        case AMO_OR:                                   \
            return sem_or_##BITS(old, x);              \
        case AMO_MIN:                                  \
            return sem_min_##BITS(old, x);             \
        case AMO_MAX:                                  \
            return sem_max_##BITS(old, x);             \
        case AMO_MINU:                                 \
            return sem_minu_##BITS(old, x);            \
        case AMO_MAXU:                                 \
            return sem_maxu_##BITS(old, x);            \
        case AMO_SWAP:                                 \
        case AMO_SC:                                   \
        case AMO_LR:                                   \
            break;                                     \
        }                                              \
        return x;                                      \
    }
COMBINE(uint32_t, 32)
COMBINE(uint64_t, 64)
#undef COMBINE

static void
reserve(struct sim_warp *w, unsigned lane, uint64_t at, uint64_t value,
        bool wide)
{
    uint64_t bit = UINT64_C(1) << lane;
    w->reserved |= bit;
    w->reserved_wide = wide ? w->reserved_wide | bit : w->reserved_wide & ~bit;
    w->reserved_at[lane] = at;
    w->reserved_value[lane] = value;
}

/* Ends the lane's reservation; is it of this word or these two? */
static bool
take_reservation(struct sim_warp *w, unsigned lane, uint64_t at, bool wide)
{
    assert(lane < SIM_LANES_MAX);
    bool had = w->reserved >> lane & 1 && w->reserved_at[lane] == at &&
               (w->reserved_wide >> lane & 1) == wide;
    w->reserved &= ~(UINT64_C(1) << lane);
    return had;
}

/* Cancels the reservations of other lanes of the warp for the bytes that sc has stored. */
static void
end_reservations(struct sim_warp *w, uint64_t at, unsigned bytes)
{
    for (uint64_t rest = w->reserved; rest; rest &= rest - 1) {
        unsigned other = (unsigned)__builtin_ctzll(rest);
        unsigned size = w->reserved_wide >> other & 1 ? 8 : 4;
        if (w->reserved_at[other] < at + bytes &&
            at < w->reserved_at[other] + size)
            w->reserved &= ~(UINT64_C(1) << other);
    }
}

/* The operation on one or two words of memory, by the host's own; its result. */
#define UPDATE(T, BITS)                                                      \
    static T update_##BITS(struct sim_warp *w, unsigned kind, unsigned lane, \
                           uint64_t at, void *host, T x)                     \
    {                                                                        \
        assert((uintptr_t)host % sizeof(T) == 0);                            \
        _Atomic T *word = host;                                              \
        T old;                                                               \
        switch ((enum amo_kind)kind) {                                       \
        case AMO_LR:                                                         \
            old = atomic_load(word);                                         \
            reserve(w, lane, at, old, BITS == 64);                           \
            return old;                                                      \
        case AMO_SC:                                                         \
            old = (T)w->reserved_value[lane];                                \
            if (!take_reservation(w, lane, at, BITS == 64) ||                \
                !atomic_compare_exchange_strong(word, &old, x))              \
                return 1;                                                    \
            end_reservations(w, at, sizeof(T));                              \
            return 0;                                                        \
        case AMO_SWAP:                                                       \
            return atomic_exchange(word, x);                                 \
        case AMO_ADD:                                                        \
            return atomic_fetch_add(word, x);                                \
        default:                                                             \
            old = atomic_load(word);                                         \
            while (!atomic_compare_exchange_weak(                            \
                word, &old, combine_##BITS(kind, old, x)))                   \
                ;                                                            \
            return old;                                                      \
        }                                                                    \
    }
UPDATE(uint32_t, 32)
UPDATE(uint64_t, 64)
#undef UPDATE

/* The host address of a lane's operation; *at: its address.  NULL after a fault. */
static uint8_t *
place_of(struct sim_warp *w, const struct sim_op *op, int lane, uint64_t *at)
{
    unsigned access = op->kind == AMO_LR ? MMU_READ : MMU_WRITE;
    unsigned words = op->width > 1 ? op->width : 1;
    if (!mem_check_space(w, op, *at, 0, lane, access))
        return NULL;
    uint64_t offset;
    bool is_private = mem_is_private_padding(w, op, *at, 0, &offset);
    *at = mem_into_space(w, op, *at, lane < 0 ? 0 : (unsigned)lane, 0);
    const uint64_t first = *at;
    if (first & (4 * words - 1)) {
        warp_fault(w, op, VENTUS_SIM_FAULT_MISALIGNED, lane, *at);
        return NULL;
    }
    if (is_private)
        return padding_private(w, op, offset, lane, 4, access);
    uint8_t *host = mmu_at_words(w->mmu, at, words, access);
    if (host)
        return host;
    if (mmu_padding(w->mmu, first, 4 * words, access))
        return padding_at(w, op, first, lane, 4 * words, access);
    warp_fault(w, op, w->mmu->why, lane, *at);
    return NULL;
}

void
atomic_bases(const struct sim_warp *w, const struct sim_op *op,
             uint64_t at[SIM_LANES_MAX])
{
    bool wide = op->aux & MEM_WIDE_ADDRESS;
    if (w->worker->sim->config.scalar_amo) {
        unsigned high = op->s1 ? op->s1 + 1u : 0;
        at[0] = w->x[op->s1] | (wide ? (uint64_t)w->x[high] << 32 : 0);
        return;
    }
    const uint32_t *lo = w->v + (size_t)op->s1 * w->lanes;
    const uint32_t *hi = lo + w->lanes;
    for (unsigned i = 0; i < w->lanes; i++)
        at[i] = lo[i] | (wide ? (uint64_t)hi[i] << 32 : 0);
}

/* Instructions that a warp may continue for once it has found a lock taken. */
#ifdef VENTUS_TINY
enum { SPIN_SLICE = 2 };
#else
enum { SPIN_SLICE = 192 };
#endif

/* More of them, from 0 to 63: with a fixed number a warp whose loop takes and gives
 * back another lock could have it at the end of every slice. */
static uint64_t
spin_more(const struct sim_warp *w)
{
    return SPIN_SLICE < 64
               ? 0
               : (uint32_t)warp_retired(w) * UINT32_C(0x9e3779b1) >> 26;
}

/*
 * A swap that changed nothing in any lane is a lock that is taken.  Its holder
 * may be a warp whose slice ended at the wrong moment: to try again for a whole
 * slice, in every other warp, would only delay it.
 */
static void
give_way(struct sim_warp *w, const uint32_t *x, const uint32_t *old)
{
    const uint64_t n = SPIN_SLICE + spin_more(w);
    if (w->left <= n)
        return;
    assert(w->left <= w->slice);
    for (uint64_t rest = w->exec; rest; rest &= rest - 1) {
        int i = __builtin_ctzll(rest);
        if (old[i] != x[i])
            return;
    }
    w->slice -= w->left - n;
    w->left = n;
}

static const struct sim_op *
amo_vector(struct sim_warp *w, const struct sim_op *op)
{
    uint64_t at[SIM_LANES_MAX];
    uint32_t result[SIM_LANES_MAX];
    const uint32_t *x = w->v + (size_t)op->s2 * w->lanes;
    uint32_t *d = w->v + (size_t)op->d * w->lanes;
    atomic_bases(w, op, at);
    for (uint64_t rest = w->exec; rest; rest &= rest - 1) {
        int i = __builtin_ctzll(rest);
        uint8_t *host = place_of(w, op, i, &at[i]);
        if (!host)
            return NULL;
        result[i] = update_32(w, op->kind, (unsigned)i, at[i], host, x[i]);
    }
    if (op->kind == AMO_SWAP)
        give_way(w, x, result);
    /* After all lanes: vd may be vs1 or vs2. */
    for (uint64_t rest = w->exec; rest; rest &= rest - 1)
        d[__builtin_ctzll(rest)] = result[__builtin_ctzll(rest)];
    return op + op->words;
}

/* Two words: vs2 and the register after it, and so vd, but that of sc. */
static const struct sim_op *
amo_vector_wide(struct sim_warp *w, const struct sim_op *op)
{
    uint64_t at[SIM_LANES_MAX], result[SIM_LANES_MAX];
    const uint32_t *x = w->v + (size_t)op->s2 * w->lanes;
    uint32_t *d = w->v + (size_t)op->d * w->lanes;
    atomic_bases(w, op, at);
    for (uint64_t rest = w->exec; rest; rest &= rest - 1) {
        int i = __builtin_ctzll(rest);
        uint8_t *host = place_of(w, op, i, &at[i]);
        if (!host)
            return NULL;
        result[i] = update_64(w, op->kind, (unsigned)i, at[i], host,
                              join64(x[i], x[w->lanes + (unsigned)i]));
    }
    for (uint64_t rest = w->exec; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctzll(rest);
        d[i] = (uint32_t)result[i];
        if (op->kind != AMO_SC)
            d[w->lanes + i] = (uint32_t)(result[i] >> 32);
    }
    return op + op->words;
}

static const struct sim_op *
amo_scalar(struct sim_warp *w, const struct sim_op *op)
{
    uint64_t at[SIM_LANES_MAX];
    assert(w->worker->sim->config.scalar_amo); /* atomic_bases sets at[0] */
    atomic_bases(w, op, at);
    uint8_t *host = place_of(w, op, -1, &at[0]);
    if (!host)
        return NULL;
    w->x[op->d] = update_32(w, op->kind, 0, at[0], host, w->x[op->s2]);
    return op + op->words;
}

/* x0 has no register after it: two words of 0, and two that are dropped. */
static const struct sim_op *
amo_scalar_wide(struct sim_warp *w, const struct sim_op *op)
{
    uint64_t at[SIM_LANES_MAX];
    assert(w->worker->sim->config.scalar_amo);
    atomic_bases(w, op, at);
    uint8_t *host = place_of(w, op, -1, &at[0]);
    if (!host)
        return NULL;
    uint64_t x = op->s2 ? join64(w->x[op->s2], w->x[op->s2 + 1u]) : 0;
    uint64_t result = update_64(w, op->kind, 0, at[0], host, x);
    w->x[op->d] = (uint32_t)result;
    if (op->d != X_SINK && op->kind != AMO_SC)
        w->x[op->d + 1u] = (uint32_t)(result >> 32);
    return op + op->words;
}

bool
atomic_ends_slice(const struct sim_op *op)
{
    return op->fn == amo_vector && op->kind == AMO_SWAP;
}

/* Is there a register after each one that has a second word? */
static bool
has_second_words(const struct sim_op *op, bool scalar)
{
    unsigned end = scalar ? SIM_XREGS : SIM_VREGS;
    bool d =
        op->kind == AMO_SC || (scalar && op->d == X_SINK) || op->d + 1u < end;
    return d && (op->kind == AMO_LR || op->s2 + 1u < end);
}

static bool
bind_amo(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
         struct sim_op *op)
{
    if (ventus_isa_is_pair(in, VENTUS_ISA_SLOT_1))
        op->aux |= MEM_WIDE_ADDRESS;
    op->mods = 0; /* the pair is the address */
    bool scalar = sim->config.scalar_amo;
    if (op->width > 1) {
        op->fn = scalar ? amo_scalar_wide : amo_vector_wide;
        return has_second_words(op, scalar);
    }
    op->fn = scalar ? amo_scalar : amo_vector;
    return true;
}

/* lr.d and similar: 64-bit addresses */
static bool
bind_amo_wide(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
              struct sim_op *op)
{
    op->aux = MEM_WIDE_ADDRESS;
    return bind_amo(sim, in, op);
}

#define AMO(name, kind)                 \
    { name, { bind_amo, AMO_##kind } }, \
    {                                   \
        name "_d",                      \
        {                               \
            bind_amo_wide, AMO_##kind   \
        }                               \
    }

const struct sim_meaning atomic_meanings[] = {
    AMO("lr", LR),        AMO("sc", SC),        AMO("amoswap", SWAP),
    AMO("amoadd", ADD),   AMO("amoxor", XOR),   AMO("amoand", AND),
    AMO("amoor", OR),     AMO("amomin", MIN),   AMO("amomax", MAX),
    AMO("amominu", MINU), AMO("amomaxu", MAXU), { NULL, { NULL, 0 } }
};
#undef AMO
