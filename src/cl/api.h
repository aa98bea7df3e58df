/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The runtime implements the deprecated entries, too: no warnings about them. */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>

/*
 * The form of an entry of the API.  Checks stand at the top, one line for each
 * sentence of the specification's list of errors, in its order; nothing has to be
 * released before the last of them.  An entry that returns a handle is a check-and-do
 * function that returns the code, and a shell around it:
 *
 *     static cl_int
 *     create_thing(cl_context context, size_t size, cl_thing *thing)
 *     {
 *         CL_REQUIRE(context_is(context), CL_INVALID_CONTEXT);
 *         CL_EXPECT(size, CL_INVALID_VALUE, "size is 0; it must be at least 1");
 *         ...
 *         return CL_SUCCESS;
 *     }
 *
 *     CL_API_ENTRY cl_thing CL_API_CALL
 *     clCreateThing(cl_context context, size_t size, cl_int *errcode_ret)
 *     {
 *         cl_thing thing = NULL;
 *         CL_RETURN(create_thing(context, size, &thing), thing);
 *     }
 *
 * The reason of a failed check is kept for the log of calls (log.h): CL_EXPECT has
 * words, with the value that was found and the values that are allowed.  CL_REQUIRE is
 * for handles and for memory of the host, where the code says everything.
 */
#define CL_REQUIRE(condition, code)       \
    do {                                  \
        if (!(condition))                 \
            return cl_refuse_plain(code); \
    } while (0)

#define CL_EXPECT(condition, code, ...)          \
    do {                                         \
        if (!(condition))                        \
            return cl_refuse(code, __VA_ARGS__); \
    } while (0)

/* Returns the code of a check that is a function of its own, if it failed. */
#define CL_CHECK(call)              \
    do {                            \
        cl_int code_of_ = (call);   \
        if (code_of_ != CL_SUCCESS) \
            return code_of_;        \
    } while (0)

#define CL_RETURN(call, handle)      \
    do {                             \
        cl_int code_of_ = (call);    \
        if (errcode_ret)             \
            *errcode_ret = code_of_; \
        return handle;               \
    } while (0)

/* Records the reason of a refusal, for the log; returns the code. */
cl_int
cl_refuse(cl_int code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Records the usual words of the code as the reason, if it has any; returns the code. */
cl_int
cl_refuse_plain(cl_int code);

/* Records the reason of a refusal that is no mistake of the caller: something
 * unsupported, or a wait for a command that has failed.  Returns the code. */
cl_int
cl_answer(cl_int code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

bool
cl_refusal_is_answer(void);

/* The reason of this thread's last refusal; NULL: the last call had none. */
const char *
cl_refusal(void);

void
cl_forget_refusal(void);

/* A value of an environment variable; NULL if unset or empty. */
const char *
cl_env(const char *name);

/* Sets *number to that of an environment variable, up to `most`.  False: the variable
 * is not set, or is no such number, which is reported once.  The name is a literal. */
bool
cl_env_has_number(const char *name, uint64_t *number, uint64_t most);

/* The number of an environment variable; `fallback` where cl_env_has_number returns
 * false. */
uint64_t
cl_env_number(const char *name, uint64_t fallback, uint64_t most);

/* Records that a requested file could not be written: the program ends with status 1. */
void
cl_lose_output(void);

/* Records that a launch failed: a program that would end with 0 ends with
 * VENTUS_FAULT_STATUS, if that is set. */
void
cl_note_fault(void);

/* Writes a line to standard error, with "ventus: " before it. */
void
cl_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- clGet...Info ---- */

/* The caller's buffer for the answer; see info_put. */
struct info {
    size_t size;
    void *value;
    size_t *size_ret;
};

/* Answers with the bytes; CL_INVALID_VALUE if the caller's buffer is too small. */
cl_int
info_put(const struct info *info, const void *bytes, size_t size);

/* Refuses an unknown parameter: CL_INVALID_VALUE. */
cl_int
info_unknown(cl_uint param_name);

/* Answers with a string, its zero byte included. */
cl_int
info_string(const struct info *info, const char *text);

#define INFO(info, type, ...) \
    info_put(info, &(const type){ __VA_ARGS__ }, sizeof(type))
