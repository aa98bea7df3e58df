/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Binary semaphores.  The nth wait that is enqueued waits for the nth signal, whichever
 * of the two comes first, by a user event that belongs to the pair:
 *
 *     queue 0:  ... signal ──> user event ──> wait ...  :queue 1
 *
 * So a wait is an edge of the graph of events like others, and no thread of a queue
 * blocks.  A signal that fails, and a semaphore that is released before its signal was
 * enqueued, fail the wait.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cl/queue/event.h"
#include "cl/queue/semaphore_entries.h"

struct _cl_semaphore_khr {
    struct object base;
    cl_context context;
    cl_device_id device;
    cl_semaphore_properties_khr *properties; /* as given, with the 0 */
    size_t n_properties;
    pthread_mutex_t lock; /* protects what follows */
    /* The pair of which only one half is enqueued: NULL, or an owned user event. */
    cl_event pair;
    bool pair_has_wait; /* that half is the wait */
    int signals;        /* those that have run, less the waits that have */
};

static bool
semaphore_is(cl_semaphore_khr s)
{
    return object_is(s, OBJECT_SEMAPHORE);
}

static void
destroy_semaphore(void *object)
{
    cl_semaphore_khr s = object;
    if (s->pair)
        event_set(s->pair, CL_INVALID_EVENT, NULL);
    object_unref(s->pair);
    free(s->properties);
    pthread_mutex_destroy(&s->lock);
    object_unref(s->context);
}

/* ---- creation ---- */

/* Reads the list of devices that begins at list[*n], and steps over it. */
static cl_int
read_device(cl_context context, const cl_semaphore_properties_khr *list,
            size_t *n, cl_device_id *device)
{
    cl_device_id d = (cl_device_id)(uintptr_t)list[*n];
    CL_EXPECT(d && !list[*n + 1], CL_INVALID_DEVICE,
              "CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR has %s; expected one device",
              d ? "more than one device" : "none");
    CL_EXPECT(device_is(d) && context_has_device(context, d), CL_INVALID_DEVICE,
              "the device of CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR is not one of "
              "the context");
    *device = d;
    *n += 2;
    return CL_SUCCESS;
}

/* Reads the list of properties; `n`: its words including the 0. */
static cl_int
read_properties(cl_context context, const cl_semaphore_properties_khr *list,
                size_t *n, cl_device_id *device)
{
    bool typed = false;
    while (list[*n]) {
        const uint64_t name = list[(*n)++];
        CL_EXPECT(name == CL_SEMAPHORE_TYPE_KHR ||
                      name == CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR,
                  CL_INVALID_PROPERTY,
                  "the property 0x%" PRIx64
                  " is unknown; expected CL_SEMAPHORE_TYPE_KHR or "
                  "CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR",
                  name);
        const bool type = name == CL_SEMAPHORE_TYPE_KHR;
        CL_EXPECT(type ? !typed : !*device, CL_INVALID_PROPERTY,
                  "the property 0x%" PRIx64 " is given twice", name);
        if (!type) {
            CL_CHECK(read_device(context, list, n, device));
            continue;
        }
        CL_EXPECT(list[*n] == CL_SEMAPHORE_TYPE_BINARY_KHR, CL_INVALID_PROPERTY,
                  "the type is %" PRIu64
                  "; expected CL_SEMAPHORE_TYPE_BINARY_KHR, 1",
                  (uint64_t)list[*n]);
        typed = true;
        ++*n;
    }
    ++*n;
    CL_EXPECT(typed, CL_INVALID_VALUE,
              "sema_props has no CL_SEMAPHORE_TYPE_KHR");
    CL_EXPECT(*device || context->n_devices == 1, CL_INVALID_PROPERTY,
              "the context has %u devices; "
              "CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR must name one",
              context->n_devices);
    return CL_SUCCESS;
}

static cl_int
create_semaphore(cl_context context, const cl_semaphore_properties_khr *list,
                 cl_semaphore_khr *semaphore)
{
    cl_device_id device = NULL;
    size_t n = 0;
    CL_REQUIRE(context_is(context), CL_INVALID_CONTEXT);
    CL_EXPECT(list, CL_INVALID_VALUE, "sema_props is NULL");
    CL_CHECK(read_properties(context, list, &n, &device));
    cl_semaphore_properties_khr *copy = malloc(n * sizeof *copy);
    cl_semaphore_khr s =
        copy ? object_new(OBJECT_SEMAPHORE, sizeof *s, destroy_semaphore)
             : NULL;
    if (!s) {
        free(copy);
        return cl_refuse_plain(CL_OUT_OF_HOST_MEMORY);
    }
    pthread_mutex_init(&s->lock, NULL);
    s->context = object_ref(context);
    s->device = device ? device : context->devices[0];
    s->properties = memcpy(copy, list, n * sizeof *copy);
    s->n_properties = n;
    *semaphore = s;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_semaphore_khr CL_API_CALL
semaphore_create(cl_context context,
                 const cl_semaphore_properties_khr *sema_props,
                 cl_int *errcode_ret)
{
    cl_semaphore_khr semaphore = NULL;
    CL_RETURN(create_semaphore(context, sema_props, &semaphore), semaphore);
}

CL_API_ENTRY cl_int CL_API_CALL
semaphore_retain(cl_semaphore_khr s)
{
    return object_retain(s, OBJECT_SEMAPHORE, CL_INVALID_SEMAPHORE_KHR);
}

CL_API_ENTRY cl_int CL_API_CALL
semaphore_release(cl_semaphore_khr s)
{
    return object_release(s, OBJECT_SEMAPHORE, CL_INVALID_SEMAPHORE_KHR);
}

static bool
is_signaled(cl_semaphore_khr s)
{
    pthread_mutex_lock(&s->lock);
    bool signaled = s->signals > 0;
    pthread_mutex_unlock(&s->lock);
    return signaled;
}

CL_API_ENTRY cl_int CL_API_CALL
semaphore_get_info(cl_semaphore_khr s, cl_semaphore_info_khr param_name,
                   size_t param_value_size, void *param_value,
                   size_t *param_value_size_ret)
{
    struct info info = { param_value_size, param_value, param_value_size_ret };
    CL_REQUIRE(semaphore_is(s), CL_INVALID_SEMAPHORE_KHR);
    switch (param_name) {
    case CL_SEMAPHORE_CONTEXT_KHR:
        return INFO(&info, cl_context, s->context);
    case CL_SEMAPHORE_REFERENCE_COUNT_KHR:
        return INFO(&info, cl_uint, object_handles(s));
    case CL_SEMAPHORE_PROPERTIES_KHR:
        return info_put(&info, s->properties,
                        s->n_properties * sizeof *s->properties);
    case CL_SEMAPHORE_TYPE_KHR:
        return INFO(&info, cl_semaphore_type_khr, CL_SEMAPHORE_TYPE_BINARY_KHR);
    case CL_SEMAPHORE_PAYLOAD_KHR:
        return INFO(&info, cl_semaphore_payload_khr, is_signaled(s));
    case CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR:
        return INFO(&info, cl_device_id, s->device);
    }
    return info_unknown(param_name);
}

CL_API_ENTRY cl_int CL_API_CALL
semaphore_get_handle(cl_semaphore_khr s, cl_device_id device,
                     cl_external_semaphore_handle_type_khr handle_type,
                     size_t handle_size, void *handle_ptr,
                     size_t *handle_size_ret)
{
    (void)handle_size, (void)handle_ptr, (void)handle_size_ret;
    CL_REQUIRE(semaphore_is(s), CL_INVALID_SEMAPHORE_KHR);
    CL_EXPECT(device_is(device) && device == s->device, CL_INVALID_DEVICE,
              "the device is not that of the semaphore");
    return cl_refuse(CL_INVALID_VALUE,
                     "handle_type is 0x%x; semaphores have no handles for "
                     "other programs",
                     handle_type);
}

/* ---- commands ---- */

/* A wait or a signal of some semaphores.  A wait does not own them: the application may
 * release a semaphore that nothing will signal, and the wait then fails. */
struct semaphores {
    struct command base; /* a signal: references to semaphores and pairs */
    size_t n;
    struct semaphore_half {
        struct object_weak semaphore;
        cl_event pair; /* of a signal; owned by base */
    } half[];
};

static void
count(struct object_weak weak, int signals)
{
    cl_semaphore_khr s = object_upgrade(weak);
    if (!s)
        return;
    pthread_mutex_lock(&s->lock);
    s->signals += signals;
    pthread_mutex_unlock(&s->lock);
    object_unref(s);
}

static cl_int
run_wait(struct command *command, cl_event e)
{
    const struct semaphores *w = (const struct semaphores *)command;
    (void)e;
    for (size_t i = 0; i < w->n; i++)
        count(w->half[i].semaphore, -1);
    return CL_SUCCESS;
}

static cl_int
run_signal(struct command *command, cl_event e)
{
    const struct semaphores *s = (const struct semaphores *)command;
    for (size_t i = 0; i < s->n; i++) {
        count(s->half[i].semaphore, 1);
        event_set(s->half[i].pair, CL_COMPLETE, e);
    }
    return CL_SUCCESS;
}

/* Fails the waits of a signal that did not run. */
static void
drop_signal(struct command *command)
{
    const struct semaphores *s = (const struct semaphores *)command;
    for (size_t i = 0; i < s->n; i++)
        if (s->half[i].pair)
            event_set(s->half[i].pair,
                      CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, NULL);
}

/* Takes the semaphore's pair for a wait or a signal: the one whose other half is
 * enqueued, which then is complete, or a new one.  Twice the same half, which has no
 * defined meaning, takes the same pair.  Returns a reference; NULL: no memory. */
static cl_event
take_pair(cl_semaphore_khr s, bool wait)
{
    pthread_mutex_lock(&s->lock);
    cl_event pair = s->pair;
    const bool complete = pair && s->pair_has_wait != wait;
    if (!pair) {
        pair = event_new(s->context, NULL, CL_COMMAND_USER);
        if (pair)
            object_keep(pair);
        s->pair = pair;
        s->pair_has_wait = wait;
    }
    if (complete)
        s->pair = NULL;
    else if (pair)
        object_ref(pair);
    pthread_mutex_unlock(&s->lock);
    return pair;
}

static cl_int
check_semaphores(cl_command_queue q, cl_uint n, const cl_semaphore_khr *list,
                 const struct wait *wait)
{
    CL_REQUIRE(queue_is(q), CL_INVALID_COMMAND_QUEUE);
    CL_EXPECT(n && list, CL_INVALID_VALUE,
              "num_sema_objects is %u and sema_objects is %s; there must be at "
              "least one",
              n, list ? "given" : "NULL");
    for (cl_uint i = 0; i < n; i++)
        CL_EXPECT(semaphore_is(list[i]), CL_INVALID_SEMAPHORE_KHR,
                  "semaphore %u is not one that exists", i);
    for (cl_uint i = 0; i < n; i++)
        CL_EXPECT(list[i]->device == q->device, CL_INVALID_COMMAND_QUEUE,
                  "the queue is of another device than semaphore %u", i);
    for (cl_uint i = 0; i < n; i++)
        CL_EXPECT(list[i]->context == q->context, CL_INVALID_CONTEXT,
                  "semaphore %u is of another context than the queue", i);
    CL_CHECK(event_check_list(q->context, wait->n, wait->list));
    for (cl_uint i = 0; i < wait->n; i++)
        CL_EXPECT(event_status(wait->list[i]) >= CL_COMPLETE,
                  CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                  "event %u of the wait list has failed", i);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL
semaphore_enqueue_signal(cl_command_queue q, cl_uint num_sema_objects,
                         const cl_semaphore_khr *sema_objects,
                         const cl_semaphore_payload_khr *sema_payload_list,
                         cl_uint num_events_in_wait_list,
                         const cl_event *event_wait_list, cl_event *event)
{
    const struct wait wait = { num_events_in_wait_list, event_wait_list };
    const size_t n = num_sema_objects;
    (void)sema_payload_list; /* binary semaphores have none */
    CL_CHECK(check_semaphores(q, num_sema_objects, sema_objects, &wait));
    struct semaphores *s =
        command_new(sizeof *s + n * sizeof *s->half, run_signal);
    CL_REQUIRE(s, CL_OUT_OF_HOST_MEMORY);
    s->base.drop = drop_signal;
    s->n = n;
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++) {
        cl_event pair = take_pair(sema_objects[i], false);
        s->half[i].semaphore = object_weak(sema_objects[i]);
        ok = pair && command_use(&s->base, sema_objects[i]) &&
             command_use(&s->base, pair);
        s->half[i].pair = ok ? pair : NULL;
        object_unref(pair);
    }
    if (!ok) {
        command_free(&s->base);
        return cl_refuse_plain(CL_OUT_OF_HOST_MEMORY);
    }
    return queue_enqueue(q, CL_COMMAND_SEMAPHORE_SIGNAL_KHR, &s->base, &wait,
                         false, event);
}

/* Enqueues the wait with the pairs after the events of its list. */
static cl_int
enqueue_wait(cl_command_queue q, struct semaphores *w,
             const cl_semaphore_khr *list, const struct wait *wait,
             cl_event *events, cl_event *event)
{
    struct wait all = { wait->n, events };
    bool ok = true;
    if (wait->n)
        memcpy(events, wait->list, wait->n * sizeof(cl_event));
    for (size_t i = 0; ok && i < w->n; i++) {
        w->half[i].semaphore = object_weak(list[i]);
        events[all.n] = take_pair(list[i], true);
        ok = events[all.n] != NULL;
        all.n += ok;
    }
    cl_int code = CL_OUT_OF_HOST_MEMORY;
    if (ok)
        code = queue_enqueue(q, CL_COMMAND_SEMAPHORE_WAIT_KHR, &w->base, &all,
                             false, event);
    else
        command_free(&w->base);
    while (all.n > wait->n)
        object_unref(events[--all.n]);
    return ok ? code : cl_refuse_plain(code);
}

CL_API_ENTRY cl_int CL_API_CALL
semaphore_enqueue_wait(cl_command_queue q, cl_uint num_sema_objects,
                       const cl_semaphore_khr *sema_objects,
                       const cl_semaphore_payload_khr *sema_payload_list,
                       cl_uint num_events_in_wait_list,
                       const cl_event *event_wait_list, cl_event *event)
{
    const struct wait wait = { num_events_in_wait_list, event_wait_list };
    const size_t n = num_sema_objects;
    (void)sema_payload_list; /* binary semaphores have none */
    CL_CHECK(check_semaphores(q, num_sema_objects, sema_objects, &wait));
    struct semaphores *w =
        command_new(sizeof *w + n * sizeof *w->half, run_wait);
    CL_REQUIRE(w, CL_OUT_OF_HOST_MEMORY);
    w->n = n;
    cl_event *events = malloc((wait.n + n) * sizeof(cl_event));
    if (!events) {
        command_free(&w->base);
        return cl_refuse_plain(CL_OUT_OF_HOST_MEMORY);
    }
    cl_int code = enqueue_wait(q, w, sema_objects, &wait, events, event);
    free(events);
    return code;
}
