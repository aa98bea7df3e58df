/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cl/queue/command.h"
#include "cl/queue/command_buffer_entries.h"
#include "cl/queue/event.h"

/*
 * Command buffers: a list of commands, each made and checked once, which an enqueued
 * command of type CL_COMMAND_COMMAND_BUFFER_KHR runs one after the other.  The order of
 * recording satisfies all sync points, as those of a wait list were recorded before.
 * Sync point N is the Nth command of the buffer, from 1.
 *
 *     recording:   clCommandFillBufferKHR ──> struct recorded 1
 *                  clCommandNDRangeKernelKHR ──> struct recorded 2, waits for 1
 *     enqueueing:  an event, whose command holds the buffer: 1, 2
 *
 * Commands are constant while they run, so that a buffer may run several times at once.
 */
struct recorded {
    struct command *command; /* owned */
    cl_command_type type;
    void *caller;    /* call site of the recording (call_site.h) */
    cl_uint n_waits; /* sync points that it waits for, owned */
    cl_sync_point_khr *waits;
};

struct _cl_command_buffer_khr {
    struct object base;
    cl_command_queue queue;                       /* owned */
    cl_command_buffer_properties_khr *properties; /* as given, with the 0 */
    size_t n_properties;
    pthread_mutex_t lock; /* protects what follows, until it is finalized */
    bool finalized;
    struct recorded *commands; /* owned */
    size_t n, capacity;
};

/*
 * The destination of a checked command: a queue, after the events of a list, or a
 * command buffer, after sync points.  Entries of both kinds have one check-and-do
 * function, which takes it:
 *
 *     clEnqueueFillBuffer ─── submission_to_queue ────┐
 *                                                     ├─> submission_check_list ... _end
 *     clCommandFillBufferKHR ─── submission_record ───┘
 */
struct submission {
    cl_command_queue queue; /* that of the command buffer if it is recorded */
    struct wait wait;
    bool blocking;
    cl_event *event;              /* or NULL */
    cl_command_buffer_khr buffer; /* NULL: into the queue */
    cl_uint n_waits;
    const cl_sync_point_khr *waits;
    cl_sync_point_khr *sync_point; /* or NULL */
};

static inline struct submission
submission_to_queue(cl_command_queue queue, cl_uint n, const cl_event *list,
                    cl_event *event)
{
    return (struct submission){ .queue = queue,
                                .wait = { n, list },
                                .event = event };
}

/* Begins to record, with the arguments that all entries of recording have: checks
 * them, except the wait list. */
cl_int
submission_record(struct submission *s, cl_command_buffer_khr buffer,
                  cl_command_queue queue,
                  const cl_command_properties_khr *properties, cl_uint n_waits,
                  const cl_sync_point_khr *waits, cl_sync_point_khr *sync_point,
                  cl_mutable_command_khr *mutable_handle);

/* Checks the list of events or of sync points. */
cl_int
submission_check_list(const struct submission *s);

/* Enqueues or records the command, which it owns in any case; NULL: no memory. */
cl_int
submission_end(const struct submission *s, cl_command_type type,
               struct command *command);
