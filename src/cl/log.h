/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cl/api.h"

/*
 * The log of calls, which `ventus run --log-api` shows: a line for each call, written
 * when it returns.  VENTUS_LOG_API is 1 for standard error or the name of a file.
 * gen.py writes a function for each entry that uses these:
 *
 *     clCreateBuffer(context=0x5581, flags=CL_MEM_READ_ONLY, size=0,
 *         host_ptr=NULL) = CL_INVALID_BUFFER_SIZE: size is 0; it must be at least 1
 *
 * While calls are checked the same functions report to the checks which of them
 * failed.
 */
struct log_name {
    uint64_t value;
    const char *name; /* NULL ends a list */
};

extern const struct log_name log_codes[];

/* Called when an entry has failed, with its code, by name if that is known. */
typedef void
log_failure_fn(const char *entry, cl_int code, const char *name);

struct log_call {
    const char *entry;
    char line[4096]; /* fixed, so that logging a call allocates nothing */
    bool any;        /* arguments were added */
};

bool
log_wanted(void);

/* Whether the log or a check observes each call. */
bool
log_sees_calls(void);

/* Reports failed calls to a function from now on. */
void
log_tell_failures(log_failure_fn *fn);

void
log_begin(struct log_call *call, const char *entry);

void
log_number(struct log_call *call, const char *name, uint64_t value);

void
log_signed(struct log_call *call, const char *name, int64_t value);

/* Adds a value of an enumeration: its name, or the number in hexadecimal. */
void
log_named(struct log_call *call, const char *name, uint64_t value,
          const struct log_name *names);

/* Adds flags: the names of the bits that are set, joined by |. */
void
log_bits(struct log_call *call, const char *name, uint64_t value,
         const struct log_name *names);

void
log_string(struct log_call *call, const char *name, const char *text);

void
log_sizes(struct log_call *call, const char *name, const size_t *sizes,
          unsigned n);

void
log_pointer(struct log_call *call, const char *name, const void *pointer);

/* Adds the handle that the call has stored. */
void
log_event(struct log_call *call, const char *name, const cl_event *event);

void
log_flag(struct log_call *call, const char *name, bool given);

/* Writes a line about a use of the API that other platforms may refuse. */
void
log_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Ends the call's line with its code, and writes it. */
void
log_end_code(struct log_call *call, cl_int code);

void
log_end_handle(struct log_call *call, const void *handle, cl_int code);

/* Ends the line of an entry that returns a pointer and no code: NULL is a refusal. */
void
log_end_pointer(struct log_call *call, const void *pointer);

void
log_end_void(struct log_call *call);
