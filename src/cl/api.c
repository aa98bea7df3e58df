/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* on_exit */
#include "cl/api.h"
#include "base/arith.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"

enum { LONGEST_REFUSAL = 400 };

/* "": there was no refusal. */
static _Thread_local char refusal[LONGEST_REFUSAL];
/* The refusal reports something unsupported, no mistake. */
static _Thread_local bool is_answer;

__attribute__((format(printf, 2, 0))) static void
remember_refusal(bool answer, const char *format, va_list args)
{
    vsnprintf(refusal, sizeof refusal, format, args);
    is_answer = answer;
}

cl_int
cl_refuse(cl_int code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    remember_refusal(false, format, args);
    va_end(args);
    return code;
}

cl_int
cl_answer(cl_int code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    remember_refusal(true, format, args);
    va_end(args);
    return code;
}

cl_int
cl_refuse_plain(cl_int code)
{
    static const struct {
        cl_int code;
        const char *what;
    } handles[] = {
        { CL_INVALID_PLATFORM, "the platform" },
        { CL_INVALID_DEVICE, "the device" },
        { CL_INVALID_CONTEXT, "the context" },
        { CL_INVALID_COMMAND_QUEUE, "the command queue" },
        { CL_INVALID_MEM_OBJECT, "the memory object" },
        { CL_INVALID_SAMPLER, "the sampler" },
        { CL_INVALID_PROGRAM, "the program" },
        { CL_INVALID_KERNEL, "the kernel" },
        { CL_INVALID_EVENT, "the event" },
    };
    cl_forget_refusal();
    if (code == CL_OUT_OF_HOST_MEMORY)
        return cl_refuse(code, "the host has no memory left");
    for (size_t i = 0; i < ARRAY_SIZE(handles); i++)
        if (handles[i].code == code)
            return cl_refuse(code,
                             "%s is NULL, was released, or is something else",
                             handles[i].what);
    return code;
}

const char *
cl_refusal(void)
{
    return *refusal ? refusal : NULL;
}

bool
cl_refusal_is_answer(void)
{
    return is_answer;
}

void
cl_forget_refusal(void)
{
    *refusal = 0;
    is_answer = false;
}

const char *
cl_env(const char *name)
{
    return env_get(name);
}

/* Whether this is the first report about the variable. */
static bool
is_news(const char *name)
{
    enum { VARIABLES = 16 };
    static _Atomic(const char *) said[VARIABLES];
    for (unsigned i = 0; i < VARIABLES; i++) {
        const char *one = NULL;
        if (atomic_compare_exchange_strong(&said[i], &one, name))
            return true;
        if (strcmp(one, name) == 0)
            return false;
    }
    return false;
}

bool
cl_env_has_number(const char *name, uint64_t *number, uint64_t most)
{
    const char *text = cl_env(name);
    char *end;
    if (!text)
        return false;
    errno = 0;
    uint64_t found = strtoull(text, &end, 10);
    if (isdigit((unsigned char)*text) && !*end && !errno && found <= most) {
        *number = found;
        return true;
    }
    if (is_news(name))
        cl_complain("%s: expected a number from 0 to %" PRIu64
                    ", found '%.40s': it counts as not set",
                    name, most, text);
    return false;
}

uint64_t
cl_env_number(const char *name, uint64_t fallback, uint64_t most)
{
    uint64_t number;
    return cl_env_has_number(name, &number, most) ? number : fallback;
}

static bool lost;
static atomic_int faulted; /* the process in which a launch failed, or 0 */
static int status;         /* exit status of the program, by its own wish */

static void
keep_status(int code, void *ctx)
{
    (void)ctx;
    status = code;
}

__attribute__((constructor)) static void
follow_status(void)
{
    on_exit(keep_status, NULL);
}

void
cl_lose_output(void)
{
    lost = true;
}

void
cl_note_fault(void)
{
    faulted = getpid();
}

static int
fault_status(void)
{
    enum { MAX_STATUS = 255 };
    bool here = faulted == getpid(); /* not in the parent of a fork */
    return here ? (int)cl_env_number("VENTUS_FAULT_STATUS", 0, MAX_STATUS) : 0;
}

/* Runs after all other exit handlers of the program.  A failure of its own keeps its
 * status. */
__attribute__((destructor)) static void
tell_loss(void)
{
    int wanted = lost ? 1 : status ? 0 : fault_status();
    if (!wanted)
        return;
    fflush(NULL);
    _exit(status ? status : wanted);
}

void
cl_complain(const char *format, ...)
{
    va_list args;
    char text[4096];
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(stderr, "ventus: %s\n", text);
}

cl_int
info_put(const struct info *info, const void *bytes, size_t size)
{
    CL_EXPECT(!info->value || info->size >= size, CL_INVALID_VALUE,
              "param_value_size is %zu; it must be at least %zu", info->size,
              size);
    if (info->value && size)
        memcpy(info->value, bytes, size);
    if (info->size_ret)
        *info->size_ret = size;
    return CL_SUCCESS;
}

cl_int
info_unknown(cl_uint param_name)
{
    return cl_answer(CL_INVALID_VALUE,
                     "param_name is 0x%x, which is not known here", param_name);
}

cl_int
info_string(const struct info *info, const char *text)
{
    return info_put(info, text, strlen(text) + 1);
}
