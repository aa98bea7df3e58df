/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The functions that the device library may leave open: external ones that isel/translate.c
 * turns into instructions.  Everything else must be defined, and inlined or
 * kept by front/calls.c, when a module arrives; an unknown name is an error
 * about the user's kernel.
 *
 * The front end (front/compile.c, lib/) and the back end (isel/) share this
 * list; the third column is the type, in LLVM's words.
 *
 *   INTRINSIC(enum, "name", "result (parameters)", what it does)
 *
 * Work-items.  The thread's number in its workgroup is local_linear: the
 * library divides it by the local size, which it reads with knl_word.
 * Declare all but barriers, fence, amo, hints and print with
 * __attribute__((const)): the value is the same wherever it is asked for.
 *
 * Metadata words (abi.md, KNL metadata): 0 entry, 4 arguments, 8 work_dim,
 * 12/16/20 global size, 24/28/32 local size, 36/40/44 global offset, 48 print
 * buffer address, 52 its size.
 */
#define INTRINSIC_LIST(X)                                                   \
    X(LANE, "__ventus_lane", "i32 ()", "vid.v: lane in the warp")           \
    X(LOCAL_LINEAR, "__ventus_local_linear", "i32 ()", "csr tid + lane")    \
    X(CSR_TID, "__ventus_csr_tid", "i32 ()", "first thread of this warp")   \
    X(CSR_NUMW, "__ventus_csr_numw", "i32 ()", "warps of the workgroup")    \
    X(CSR_NUMT, "__ventus_csr_numt", "i32 ()", "lanes of a warp")           \
    X(CSR_KNL, "__ventus_csr_knl", "i32 ()", "address of the metadata")     \
    X(CSR_WGID, "__ventus_csr_wgid", "i32 ()", "linear workgroup")          \
    X(CSR_WID, "__ventus_csr_wid", "i32 ()", "warp in the workgroup")       \
    X(CSR_GIDX, "__ventus_csr_gidx", "i32 ()", "workgroup x")               \
    X(CSR_GIDY, "__ventus_csr_gidy", "i32 ()", "workgroup y")               \
    X(CSR_GIDZ, "__ventus_csr_gidz", "i32 ()", "workgroup z")               \
    X(KNL_WORD, "__ventus_knl_word", "i32 (i32 constant byte offset)",      \
      "a word of the metadata")                                             \
    X(BARRIER, "__ventus_barrier", "void (i32 flags, i32 scope)",           \
      "barrier; bit 0 local, 1 global, 2 image fence; scope as in it")      \
    X(BARRIERSUB, "__ventus_barriersub", "void (i32 flags)",                \
      "barriersub; flags as barrier")                                       \
    X(TOGETHER, "__ventus_together", "void ()",                             \
      "nothing: lanes that come here together stay so (lib/subgroup.cl)")   \
    X(FENCE, "__ventus_fence", "void (i32 constant)",                       \
      "fence; its 12 bits: fm, pred, succ")                                 \
    X(EXP_F32, "__ventus_exp_f32", "float (float)", "vfexp.v")              \
    X(MULHU, "__ventus_mulhu", "i32 (i32, i32)", "high word, unsigned")     \
    X(MULHS, "__ventus_mulhs", "i32 (i32, i32)", "high word, signed")       \
    X(HADD, "__ventus_hadd_*", "T (T, T), T i8, i16, i32",                  \
      "half of the sum, rounded down: vaadd; a name for each type")         \
    X(HADDU, "__ventus_haddu_*", "T (T, T)", "the same, unsigned")          \
    X(RHADD, "__ventus_rhadd_*", "T (T, T)", "half of the sum, rounded up") \
    X(RHADDU, "__ventus_rhaddu_*", "T (T, T)", "the same, unsigned")        \
    X(CLIP, "__ventus_clip_*", "i16 (i32), i8 (i16)", "vnclip: saturated")  \
    X(SAT_INT, "__ventus_sat_int", "i32 (float)",                           \
      "towards zero, saturated; what is no number, too: vfcvt")             \
    X(SAT_UINT, "__ventus_sat_uint", "i32 (float)", "the same, unsigned")   \
    X(UNIFORM, "__ventus_uniform", "i32 (i32)",                             \
      "the value of one active lane, common to the warp")                   \
    X(HINT, "__ventus_hint", "void (i32 constant)",                         \
      "slti x0, x0, number: for checkers (abi.md, Hints)")                  \
    X(TELL, "__ventus_tell", "void (i32)", "an operand of the last hint")   \
    X(PLACE, "__ventus_place", "void ()",                                   \
      "nop: a place where a debugger stops (front/debug.c)")                \
    X(UNWRITTEN, "__ventus_unwritten", "i32 (i32 constant)",                \
      "what a variable holds that nothing has written")                     \
    X(EVENT, "__ventus_event", "event (i32)", "the event that a word is")   \
    X(EVENT_WORD, "__ventus_event_word", "i32 (event)", "the word it is")   \
    X(SAMPLER, "__ventus_sampler", "i32 (sampler)", "the word it is")       \
    X(HANDLE, "__ventus_handle_*", "ptr(2) (image)",                        \
      "the address of its descriptor; a name for each type")                \
    X(PRINT, "__ventus_print", "void (i32)",                                \
      "csrw print: the host drains the print buffer; returns when it has")

/*
 * Besides these, calls to LLVM's own intrinsics:
 *
 *   integer  abs smin smax umin umax ctlz cttz ctpop fshl fshr bswap
 *            bitreverse uadd/sadd/usub/ssub.sat, u/s add/sub/mul with overflow
 *   float    fmuladd fma fabs sqrt floor ceil trunc rint nearbyint round
 *            roundeven copysign minnum maxnum is.fpclass exp (vfexp)
 *   memory   memcpy memmove memset of a constant length
 *   ignored  lifetime assume dbg experimental.noalias.scope.decl
 *
 * llvm.exp2, log, log2, log10, sin, cos, pow must be defined by the library.
 *
 * The module: types of at most 64 bits after scalarisation (vectors only as
 * kernel parameters, in loads and stores, and in insert and extract); one ret
 * for each kernel; no switch; no irreducible loops.  What a pass may leave is
 * taken too where it is cheap: switch, extra rets.
 */
/* The address space of generic pointers in clang's module, and their highest
 * four bits where they are to private memory: front/generic.c. */
enum { GENERIC_SPACE = 4, GENERIC_PRIVATE = 0x40000000 };
#define GENERIC_MARKS 0xf0000000u

/* Metadata of a load or store that is volatile only so that it is not moved:
 * front/generic.c made it, and it may stay in the L1D. */
#define PLAIN_METADATA "ventus.plain"

enum intrinsic {
    INTRINSIC_NONE,
#define X(id, ...) INTRINSIC_##id,
    INTRINSIC_LIST(X)
#undef X
        INTRINSIC_COUNT
};

/* The name of the array in local memory in which library functions exchange values between
 * work-items (front/builtins.c). */
#define FRONT_EXCHANGE "__ventus_values_in_local_memory"

/* Named metadata of a module that was compiled with -fcheck-race. */
#define EXACT_ATOMICS "ventus.exact_atomics"

/* Named metadata of a module that was compiled with -fcheck-bounds. */
#define MARKED_OBJECTS "ventus.marked_objects"
