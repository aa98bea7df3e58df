/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/buf.h"
#include "cc/front/clang.h"
#include "obj/kernels.h"

/*
 * The compiler's front end: OpenCL C in, an optimised LLVM module out, with
 * the device library linked and everything inlined into kernels, but for the
 * functions that front/calls.c keeps.
 *
 *     struct front f = { 0 };
 *     struct front_source source = { .name = "k.cl", .text = s, .size = n };
 *     struct front_options o = front_options_default();
 *     ok = front_compile(&f, &a, &source, &o, &sink);
 *     fwrite(f.log.at, 1, f.log.n, stderr);     what clang said, ok or not
 *     if (ok)
 *         ... f.module, see front/intrinsics.h for what it may contain ...
 *     front_free(&f);
 *
 * What is wrong with the source is in the log in clang's words; what only we
 * find (an undefined function, recursion) is in the sink.
 *
 * What printf calls print is in the module as @__ventus_printf, a constant
 * of section .ventus.printf (docs/printf.md); loads from constant memory
 * carry !invariant.load.
 */
struct front_time {
    const char *what;
    double ms;
};

enum { FRONT_STEPS = 3, FRONT_TIMES = 34 }; /* besides passes; with these */

struct front {
    void *module; /* LLVMModuleRef */
    struct buf log;
    void *context; /* LLVMContextRef */
    struct front_time times[FRONT_TIMES];
    unsigned n_times;
};

bool
front_compile(struct front *f, struct arena *a,
              const struct front_source *source,
              const struct front_options *options, struct diag_sink *sink);

/*
 * Compiling apart (front/object.c).  An object is bitcode as clang made it,
 * with nothing linked, and what the later steps must know of its options; a
 * library is several linked objects.
 *
 *     ok = front_compile_object(&f, &a, &source, &o, &sink);
 *     front_write(&f, &bytes);
 *     front_free(&f);
 *
 *     struct front_object objects[] = { { "a.bc", bytes, size }, ... };
 *     ok = front_link_objects(&f, &a, objects, n, &o, true, &sink);
 *     ... f.module, as front_compile leaves it; a library if not `whole` ...
 */
struct front_object {
    const char *name; /* in messages */
    const void *bytes;
    size_t size;
};

bool
front_is_object(const void *bytes, size_t size);

bool
front_compile_object(struct front *f, struct arena *a,
                     const struct front_source *source,
                     const struct front_options *options,
                     struct diag_sink *sink);

bool
front_link_objects(struct front *f, struct arena *a,
                   const struct front_object *objects, size_t n,
                   const struct front_options *options, bool whole,
                   struct diag_sink *sink);

/* Sets up LLVM, which each compilation does unless it was done: for a process that forks
 * for compilations. */
void
front_warm(void);

/* The name of pass number i of the front end, in order; NULL after the last. */
const char *
front_pass_name(unsigned i);

/* The module as bitcode. */
void
front_write(const struct front *f, struct buf *out);

/* The module as text. */
void
front_print(const struct front *f, struct buf *out);

void
front_free(struct front *f);

/* Finds what the source says about a kernel: name, arguments, work-group sizes.
 * `function` is an LLVMValueRef; the rest of *info is left as it is. */
void
front_kernel_info(struct arena *a, void *function, struct kernel_info *info);
