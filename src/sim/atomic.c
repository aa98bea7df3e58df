/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Atomics: every active lane in ascending order on vectors, or once a warp on
 * x registers (config.scalar_amo).  Each is a sequentially consistent atomic
 * of the host, so aq and rl add nothing.
 *
 * lr records address and value, for each lane.  sc stores if the lane's
 * address is the recorded one and the word still has that value; it does
 * not detect a word that changed and changed back.  A store by sc ends the
 * reservations that other lanes of the warp have on the same word.
 */
#include <assert.h>
#include <stdatomic.h>

#include "sim/any.h"
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

static uint32_t
combine(unsigned kind, uint32_t old, uint32_t x)
{
    switch ((enum amo_kind)kind) {
    case AMO_ADD:
        return sem_add_32(old, x);
    case AMO_XOR:
        return sem_xor_32(old, x);
    case AMO_AND:
        return sem_and_32(old, x);
    case AMO_OR:
        return sem_or_32(old, x);
    case AMO_MIN:
        return sem_min_32(old, x);
    case AMO_MAX:
        return sem_max_32(old, x);
    case AMO_MINU:
        return sem_minu_32(old, x);
    case AMO_MAXU:
        return sem_maxu_32(old, x);
    case AMO_SWAP:
    case AMO_SC:
    case AMO_LR:
        break;
    }
    return x;
}

static uint32_t
load_reserved(struct sim_warp *w, unsigned lane, uint64_t at,
              _Atomic uint32_t *word)
{
    uint32_t value = atomic_load(word);
    w->reserved |= UINT64_C(1) << lane;
    w->reserved_at[lane] = at;
    w->reserved_value[lane] = value;
    return value;
}

static uint32_t
store_conditional(struct sim_warp *w, unsigned lane, uint64_t at,
                  _Atomic uint32_t *word, uint32_t x)
{
    assert(lane < SIM_LANES_MAX);
    bool had = w->reserved >> lane & 1 && w->reserved_at[lane] == at;
    uint32_t expected = w->reserved_value[lane];
    w->reserved &= ~(UINT64_C(1) << lane);
    if (!had || !atomic_compare_exchange_strong(word, &expected, x))
        return 1;
    for (uint64_t rest = w->reserved; rest; rest &= rest - 1) {
        unsigned other = (unsigned)__builtin_ctzll(rest);
        if (w->reserved_at[other] == at)
            w->reserved &= ~(UINT64_C(1) << other);
    }
    return 0;
}

/* Does it for one lane; false after a fault. */
static bool
amo_lane(struct sim_warp *w, const struct sim_op *op, int lane, uint64_t base,
         uint32_t x, uint32_t *result)
{
    unsigned kind = op->kind, i = lane < 0 ? 0 : (unsigned)lane;
    unsigned access = kind == AMO_LR ? MMU_READ : MMU_WRITE;
    if (!mem_check_space(w, op, base, 0, lane, access))
        return false;
    uint64_t at = mem_into_space(w, op, base, i, 0);
    uint8_t *host = at & 3 ? NULL : mmu_at(w->mmu, at, 4, access);
    if (!host) {
        warp_fault(w, op, at & 3 ? VENTUS_SIM_FAULT_MISALIGNED : w->mmu->why,
                   lane, at);
        return false;
    }
    assert((uintptr_t)host % sizeof(uint32_t) == 0);
    _Atomic uint32_t *word = (_Atomic uint32_t *)(void *)host;
    uint32_t old;
    switch ((enum amo_kind)kind) {
    case AMO_LR:
        *result = load_reserved(w, i, at, word);
        return true;
    case AMO_SC:
        *result = store_conditional(w, i, at, word, x);
        return true;
    case AMO_SWAP:
        *result = atomic_exchange(word, x);
        return true;
    case AMO_ADD:
        *result = atomic_fetch_add(word, x);
        return true;
    default:
        old = atomic_load(word);
        while (!atomic_compare_exchange_weak(word, &old, combine(kind, old, x)))
            ;
        *result = old;
        return true;
    }
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

/* Instructions that a warp may go on for once it has found a lock taken. */
#ifdef VENTUS_TINY
enum { SPIN_SLICE = 2 };
#else
enum { SPIN_SLICE = 256 };
#endif

/*
 * A swap that changed nothing in any lane is a lock that is taken.  Its holder
 * may be a warp whose slice ended at the wrong moment: to try again for a whole
 * slice, in every other warp, would only delay it.
 */
static void
give_way(struct sim_warp *w, const uint32_t *x, const uint32_t *old)
{
    if (w->left <= SPIN_SLICE)
        return;
    assert(w->left <= w->slice);
    for (uint64_t rest = w->exec; rest; rest &= rest - 1) {
        int i = __builtin_ctzll(rest);
        if (old[i] != x[i])
            return;
    }
    w->slice -= w->left - SPIN_SLICE;
    w->left = SPIN_SLICE;
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
        if (!amo_lane(w, op, i, at[i], x[i], &result[i]))
            return NULL;
    }
    if (op->kind == AMO_SWAP)
        give_way(w, x, result);
    /* After all lanes: vd may be vs1 or vs2. */
    for (uint64_t rest = w->exec; rest; rest &= rest - 1)
        d[__builtin_ctzll(rest)] = result[__builtin_ctzll(rest)];
    return op + op->words;
}

static const struct sim_op *
amo_scalar(struct sim_warp *w, const struct sim_op *op)
{
    uint64_t at[SIM_LANES_MAX];
    uint32_t result;
    assert(w->worker->sim->config.scalar_amo); /* atomic_bases sets at[0] */
    atomic_bases(w, op, at);
    if (!amo_lane(w, op, -1, at[0], w->x[op->s2], &result))
        return NULL;
    w->x[op->d] = result;
    return op + op->words;
}

static bool
bind_amo(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
         struct sim_op *op)
{
    if (ventus_isa_is_pair(in, VENTUS_ISA_SLOT_1))
        op->aux |= MEM_WIDE_ADDRESS;
    op->mods = 0; /* the pair is the address */
    op->fn = sim->config.scalar_amo ? amo_scalar : amo_vector;
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
