/* SPDX-License-Identifier: Apache-2.0 */
/* LLVM's values as words: of constants, arguments and instructions. */
#include "cc/isel/value.h"

#include <assert.h>
#include <string.h>

#include "cc/isel/build.h"
#include "cc/isel/type.h"

void
tr_split(struct tr *t, const ir_val *at, ir_val words[2])
{
    bool pair = t->target->wide_integers;
    words[0] = pair ? tr_lo(t, at[0]) : at[0];
    words[1] = pair ? tr_hi(t, at[0]) : at[1];
}

void
tr_join(struct tr *t, const ir_val words[2], ir_val *at)
{
    if (t->target->wide_integers) {
        at[0] = tr_pair(t, words[0], words[1]);
        return;
    }
    at[0] = words[0];
    at[1] = words[1];
}

struct tr_value
tr_get_words(struct tr *t, LLVMValueRef v)
{
    struct tr_value from = tr_get(t, v);
    if (!tr_is_pair(t, LLVMTypeOf(v)))
        return from;
    assert(from.n == 1);
    struct tr_value r = tr_new_value(t, 2);
    r.at[0] = tr_lo(t, from.at[0]);
    r.at[1] = tr_hi(t, from.at[0]);
    return r;
}

void
tr_set_words(struct tr *t, LLVMValueRef key, const ir_val *words, unsigned n)
{
    LLVMTypeRef type = LLVMTypeOf(key);
    bool aggregate = LLVMGetTypeKind(type) == LLVMStructTypeKind;
    if (!tr_is_pair(t, aggregate ? LLVMStructGetTypeAtIndex(type, 0) : type)) {
        tr_set(t, key, words, n);
        return;
    }
    ir_val r[3];
    assert(n >= 2 && n <= 3);
    r[0] = tr_pair(t, words[0], words[1]);
    for (unsigned i = 2; i < n; i++)
        r[i - 1] = words[i];
    tr_set(t, key, r, n - 1);
}

struct tr_value
tr_new_value(struct tr *t, unsigned n)
{
    return (struct tr_value){ arena_new(t->m->arena, ir_val, n + 1), n };
}

void
tr_set(struct tr *t, LLVMValueRef key, const ir_val *words, unsigned n)
{
    struct tr_value *value = arena_new(t->m->arena, struct tr_value, 1);
    *value = tr_new_value(t, n);
    assert(n == 0 || n == tr_words(t, LLVMTypeOf(key)) || t->failed);
    memcpy(value->at, words, n * sizeof *words);
    *map_put_number(t->m->arena, &t->values, (uintptr_t)key) = value;
}

void
tr_set1(struct tr *t, LLVMValueRef key, ir_val v)
{
    tr_set(t, key, &v, 1);
}

struct tr_value
tr_get(struct tr *t, LLVMValueRef v)
{
    if (!LLVMIsAArgument(v) && !LLVMIsAInstruction(v))
        return tr_constant(t, v);
    void **value = map_find_number(&t->values, (uintptr_t)v);
    assert(value || t->failed);
    if (value)
        return *(struct tr_value *)*value;
    struct tr_value r = tr_new_value(t, tr_words(t, LLVMTypeOf(v)));
    for (unsigned i = 0; i < r.n; i++)
        r.at[i] = IR_ZERO;
    return r;
}

ir_val
tr_get1(struct tr *t, LLVMValueRef v)
{
    struct tr_value r = tr_get(t, v);
    return r.n ? r.at[0] : (ir_val)IR_ZERO;
}
