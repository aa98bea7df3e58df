/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cl.h"

#include <CL/cl_icd.h>

/*
 * For the tests of error codes (codes.txt): one of everything, and handles
 * that are none.  Calls go through the runtime's own table, `d`, since the
 * loader reads handles that are of another kind, or answers itself.
 */
struct codes {
    struct cl t;
    const cl_icd_dispatch *d;
    cl_context other; /* another context, with a queue, a buffer and an event */
    cl_command_queue other_queue;
    cl_mem other_mem;
    cl_event other_event;
    cl_mem m, hidden; /* 4096 bytes; the host must not touch the second */
    cl_event user, failed;
};

static inline struct codes
codes_open(void)
{
    struct codes c = { .t = cl_open(0) };
    cl_int code;
    c.d = *(const cl_icd_dispatch *const *)(const void *)c.t.context;
    CREATES(c.other, clCreateContext(NULL, 1, &c.t.device, NULL, NULL, &code));
    CREATES(c.other_queue, clCreateCommandQueue(c.other, c.t.device, 0, &code));
    CREATES(c.other_mem, clCreateBuffer(c.other, 0, 4096, NULL, &code));
    CREATES(c.other_event, clCreateUserEvent(c.other, &code));
    c.m = cl_buffer(&c.t, 0, 4096, NULL);
    c.hidden = cl_buffer(&c.t, CL_MEM_HOST_NO_ACCESS, 4096, NULL);
    CREATES(c.user, clCreateUserEvent(c.t.context, &code));
    CREATES(c.failed, clCreateUserEvent(c.t.context, &code));
    OK(clSetUserEventStatus(c.failed, -5));
    return c;
}

static inline void
codes_close(struct codes *c)
{
    OK(clReleaseEvent(c->failed));
    OK(clReleaseEvent(c->user));
    OK(clReleaseMemObject(c->hidden));
    OK(clReleaseMemObject(c->m));
    OK(clReleaseEvent(c->other_event));
    OK(clReleaseMemObject(c->other_mem));
    OK(clReleaseCommandQueue(c->other_queue));
    OK(clReleaseContext(c->other));
    cl_close(&c->t);
}

/* A living object of another kind. */
#define WRONG(type, c) ((type)(void *)(c)->m)
