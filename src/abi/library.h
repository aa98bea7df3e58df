/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stddef.h>
#include <string.h>

/* The files of the device library.  Each is a self-contained LLVM module: its
 * functions and all that they call.  A kernel is linked with the modules of the
 * functions that it calls: most call a few of thousands, and reading a module takes
 * time for all functions in it. */
/* A function belongs to the first part that lists a prefix of its name. */
static const struct library_part {
    const char *file;
    const char *names[24];
} library_parts[] = {
    { "ventus-core.bc",
      { "get_global_", "get_local_", "get_group_", "get_num_", "get_work_",
        "get_enqueued_", "get_sub_", "get_max_", "get_fence", "barrier",
        "work_group_barrier", "sub_group_barrier", "mem_fence",
        "read_mem_fence", "write_mem_fence", "wait_group_events" } },
    { "ventus-group.bc", { "work_group_", "sub_group_", "intel_sub_group_" } },
    { "ventus-char.bc", { "convert_char" } },
    { "ventus-uchar.bc", { "convert_uchar" } },
    { "ventus-short.bc", { "convert_short" } },
    { "ventus-ushort.bc", { "convert_ushort" } },
    { "ventus-int.bc", { "convert_int" } },
    { "ventus-uint.bc", { "convert_uint" } },
    { "ventus-long.bc", { "convert_long" } },
    { "ventus-ulong.bc", { "convert_ulong" } },
    { "ventus-half.bc", { "convert_half" } },
    { "ventus-float.bc", { "convert_float" } },
    { "ventus-double.bc", { "convert_double" } },
    { "ventus-load.bc", { "vload" } },
    { "ventus-store.bc", { "vstore" } },
    { "ventus-memory.bc", { "shuffle", "async_", "prefetch" } },
    { "ventus-atomic.bc", { "atom" } },
    { "ventus-image.bc", { "read_image", "write_image", "get_image_" } },
    { "ventus-choose.bc", { "all", "any", "clamp", "max", "min", "select" } },
    { "ventus-bits.bc",
      { "bit_", "bitfield_", "bitselect", "clz", "ctz", "popcount", "rotate",
        "upsample" } },
    { "ventus-integer.bc",
      { "abs", "add_sat", "hadd", "mad24", "mad_", "mul24", "mul_hi", "rhadd",
        "sub_sat", "__spirv_" } },
    { "ventus-common.bc",
      { "ceil",  "copysign", "cross",     "degrees", "distance", "dot",
        "fabs",  "floor",    "fma",       "fmax",    "fmin",     "length",
        "mad",   "mix",      "normalize", "radians", "rint",     "round",
        "rsqrt", "sign",     "sqrt",      "step",    "trunc" } },
    { "ventus-relation.bc", { "is" } },
    { "ventus-native.bc", { "fast_", "half_", "native_" } },
    { "ventus-pair.bc",
      { "fract", "frexp", "lgamma_r", "modf", "remquo", "sincos" } },
    { "ventus-math.bc", { "" } },
};

enum {
    LIBRARY_CORE, /* also the functions that the compiler itself calls */
    LIBRARY_PARTS = sizeof library_parts / sizeof *library_parts
};

/* The part with a function, by its mangled name; LIBRARY_PARTS: only callees of
 * others. */
static inline unsigned
library_part_of(const char *name)
{
    /* to_global() and so on, and functions that clang calls. */
    if (strncmp(name, "__ventus_", 9) == 0 || strncmp(name, "__to_", 5) == 0 ||
        strncmp(name, "__ubsan_", 8) == 0)
        return LIBRARY_CORE;
    if (strncmp(name, "_Z", 2) != 0)
        return LIBRARY_PARTS;
    name += 2;
    name += strspn(name, "0123456789");
    if (strncmp(name, "__", 2) == 0 && strncmp(name, "__spirv_", 8) != 0)
        return LIBRARY_PARTS;
    for (unsigned part = 0;; part++)
        for (const char *const *n = library_parts[part].names; *n; n++)
            if (strncmp(name, *n, strlen(*n)) == 0)
                return part;
}
