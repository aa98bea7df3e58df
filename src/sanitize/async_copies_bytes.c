/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of copies of work-groups, and which of these copies are under way. */
#include "abi/hints.h"
#include "sanitize/state.h"

static struct copy_span
span(uint64_t address, uint32_t n, uint32_t size, uint32_t stride)
{
    uint64_t step = stride ? (uint64_t)stride * size : size;
    if (step > UINT32_MAX || !n)
        return (struct copy_span){ 0 };
    return (struct copy_span){ address, (n - 1) * step + size, (uint32_t)step,
                               size };
}

struct copy_bytes
async_copies_bytes(const struct copy_step *s)
{
    const uint32_t *o = s->operand;
    const bool wide = s->told == 7; /* addresses of two words */
    uint64_t to = o[0], from = o[1];
    if (wide) {
        to = o[0] | (uint64_t)o[1] << 32;
        from = o[2] | (uint64_t)o[3] << 32;
    }
    const uint32_t *rest = o + (wide ? 4 : 2);
    unsigned kind = s->hint % HINT_KINDS;
    uint32_t size = 1u << s->hint / HINT_KINDS % 32;
    return (struct copy_bytes){
        .to = span(to, rest[0], size, kind == HINT_TO ? rest[1] : 0),
        .from = span(from, rest[0], size, kind == HINT_FROM ? rest[1] : 0),
    };
}

bool
async_copies_has(const struct copy_span *s, uint64_t at, uint64_t bytes)
{
    if (!s->bytes || at + bytes <= s->first || at >= s->first + s->bytes)
        return false;
    if (at < s->first)
        return true;
    uint64_t within = (at - s->first) % s->step;
    return within < s->size || within + bytes > s->step;
}

bool
async_copies_is_pending(const struct copy_log *log, const struct copy_step *s)
{
    return s->hint % HINT_KINDS != HINT_WAIT && s->waits < log->warps;
}

const struct copy_step *
async_copies_find_pending(const struct sim_warp *w, uint64_t at, unsigned bytes,
                          bool write, bool *writes)
{
    const struct copy_log *log = &sanitize_group_of(w)->copies;
    uint64_t bit = w->id < 64 ? UINT64_C(1) << w->id : 0;
    for (unsigned i = 0; log->pending && i < log->n; i++) {
        const struct copy_step *s = &log->step[i];
        if (!async_copies_is_pending(log, s) || s->waited & bit)
            continue;
        const struct copy_bytes b = async_copies_bytes(s);
        *writes = async_copies_has(&b.to, at, bytes);
        if (*writes || (write && async_copies_has(&b.from, at, bytes)))
            return s;
    }
    return NULL;
}

bool
async_copies_know(const struct sim_warp *w, uint64_t at, unsigned bytes,
                  bool write, bool same_group, uint32_t time)
{
    const struct copy_warp *k = &sanitize_warp_of(w)->copy;
    bool writes;
    if (k->checked && (same_group || time <= k->since))
        return true;
    return same_group &&
           async_copies_find_pending(w, at, bytes, write, &writes);
}
