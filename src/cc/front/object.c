/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects and libraries: clCompileProgram and clLinkProgram.
 *
 * Options that the later steps need are in the named metadata
 * !ventus.options, a node for each object, which linking puts in one list:
 * i32 level of optimisation, i32 whether all work-groups are alike.
 * The linker takes the least of each.
 */
#include <string.h>

#include <llvm-c/BitWriter.h>
#include <llvm-c/Linker.h>

#include "base/clock.h"
#include "cc/front/asm.h"
#include "cc/front/link.h"
#include "cc/front/module.h"
#include "cc/front/pipeline.h"
#include "cc/front/reader.h"
#include "cc/front/steps.h"
#include "cc/front/types.h"

static const char options_name[] = "ventus.options";

enum { OPTIMISE, UNIFORM, N_OPTIONS };

/* Bitcode begins so, or so with a wrapper header before it. */
static const unsigned char plain[] = { 'B', 'C', 0xc0, 0xde };
static const unsigned char wrapped[] = { 0xde, 0xc0, 0x17, 0x0b };

bool
front_is_object(const void *bytes, size_t size)
{
    return size >= sizeof plain &&
           (memcmp(bytes, plain, sizeof plain) == 0 ||
            memcmp(bytes, wrapped, sizeof wrapped) == 0);
}

void
front_write(const struct front *f, struct buf *out)
{
    LLVMMemoryBufferRef memory = LLVMWriteBitcodeToMemoryBuffer(f->module);
    buf_put(out, LLVMGetBufferStart(memory), LLVMGetBufferSize(memory));
    LLVMDisposeMemoryBuffer(memory);
}

/* ---- compiling ---- */

static void
record_options(struct front_build *b)
{
    const struct front_options *o = b->options;
    LLVMTypeRef word = LLVMInt32TypeInContext(b->context);
    bool uniform = o->uniform_groups || o->std < 200;
    LLVMMetadataRef words[N_OPTIONS] = {
        [OPTIMISE] =
            LLVMValueAsMetadata(LLVMConstInt(word, o->optimise, false)),
        [UNIFORM] = LLVMValueAsMetadata(LLVMConstInt(word, uniform, false)),
    };
    LLVMMetadataRef node = LLVMMDNodeInContext2(b->context, words, N_OPTIONS);
    LLVMAddNamedMetadataOperand(b->module, options_name,
                                LLVMMetadataAsValue(b->context, node));
}

bool
front_compile_object(struct front *f, struct arena *a,
                     const struct front_source *source,
                     const struct front_options *options,
                     struct diag_sink *sink)
{
    struct front_reader reader;
    if (!front_reader_start(&reader, a, source, options, sink))
        return false;
    front_open_context(f, sink);
    struct front_build b = { .context = f->context,
                             .arena = a,
                             .options = options,
                             .sink = sink,
                             .name = source->name,
                             .text = source->text };
    bool ok = front_reader_finish(&reader, &b, &f->log) && front_mark(f, &b);
    f->module = b.module;
    if (!ok)
        return false;
    if (options->fast_math)
        front_use_native(b.module);
    record_options(&b);
    return true;
}

/* ---- linking ---- */

/* Reads one node; false if it is none of ours. */
static bool
read_node(LLVMValueRef node, unsigned long long words[N_OPTIONS])
{
    LLVMValueRef at[N_OPTIONS];
    if (LLVMGetMDNodeNumOperands(node) != N_OPTIONS)
        return false;
    LLVMGetMDNodeOperands(node, at);
    for (unsigned i = 0; i < N_OPTIONS; i++) {
        if (!at[i] || !LLVMIsAConstantInt(at[i]))
            return false;
        words[i] = LLVMConstIntGetZExtValue(at[i]);
    }
    return words[OPTIMISE] <= 2 && words[UNIFORM] <= 1;
}

/* The least of all objects' options; false if there are none. */
static bool
read_options(LLVMModuleRef module, struct arena *a, struct front_options *o)
{
    unsigned n = LLVMGetNamedMetadataNumOperands(module, options_name);
    LLVMValueRef *nodes = arena_new(a, LLVMValueRef, n + 1);
    LLVMGetNamedMetadataOperands(module, options_name, nodes);
    o->uniform_groups = true;
    o->std = 300; /* only for clang, but for the groups */
    for (unsigned i = 0; i < n; i++) {
        unsigned long long words[N_OPTIONS];
        if (!read_node(nodes[i], words))
            return false;
        if (words[OPTIMISE] < o->optimise)
            o->optimise = (unsigned)words[OPTIMISE];
        o->uniform_groups &= words[UNIFORM] != 0;
    }
    return n > 0;
}

static bool
is_ours(struct front_build *b)
{
    struct front_options none = front_options_default();
    return read_options(b->module, b->arena, &none);
}

/* Whether the object is for the version that is asked for. */
static bool
has_target(struct front_build *b)
{
    const struct cc_target *target = cc_target_or_v1(b->options->target);
    const char *triple = LLVMGetTarget(b->module);
    if (strcmp(triple, target->triple) == 0)
        return true;
    for (unsigned version = 1; cc_target_of_version(version); version++)
        if (strcmp(triple, cc_target_of_version(version)->triple) == 0)
            front_error(b, NULL, "is for %s, expected one for %s (-march)",
                        cc_target_of_version(version)->name, target->name);
    if (!b->sink->errors)
        front_error(b, NULL, "not an object of ventus cc");
    return false;
}

static bool
add_object(struct front_build *b, const struct front_object *object,
           front_seen_list *seen)
{
    LLVMModuleRef before = b->module;
    b->module = NULL;
    b->name = object->name;
    bool ok = front_read(b, object->bytes, object->size) &&
              front_verify(b, "not an object") && front_refuse_asm(b);
    if (ok && !is_ours(b)) {
        front_error(b, NULL, "not an object of ventus cc");
        ok = false;
    }
    ok = ok && has_target(b);
    if (!ok && b->module) {
        LLVMDisposeModule(b->module);
        b->module = NULL;
    }
    LLVMModuleRef next = b->module;
    b->module = before;
    ok = ok && front_types_agree(b, next, seen);
    if (!before) {
        b->module = next;
        return ok;
    }
    /* Linking consumes it; its reasons go to the sink. */
    if (ok)
        return !LLVMLinkModules2(b->module, next);
    if (next)
        LLVMDisposeModule(next);
    return false;
}

bool
front_link_objects(struct front *f, struct arena *a,
                   const struct front_object *objects, size_t n,
                   const struct front_options *options, bool whole,
                   struct diag_sink *sink)
{
    double since = clock_now_ms();
    struct front_options o = *options;
    struct front_build b = { .arena = a, .options = &o, .sink = sink };
    front_seen_list seen = { 0 };
    bool ok = true;
    front_open_context(f, sink);
    b.context = f->context;
    for (size_t i = 0; ok && i < n; i++)
        ok = add_object(&b, &objects[i], &seen);
    front_note(f, "read objects", &since);
    if (ok && whole) {
        read_options(b.module, a, &o);
        b.library = front_find_library(a, o.target, sink);
        ok = b.library && front_lower(f, &b);
    }
    f->module = b.module;
    return ok;
}
