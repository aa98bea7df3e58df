/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cl/api.h"

/* Functions of the application to call when an object is destroyed: in reverse order
 * of registration, as the specification requires, without locks.  Their types differ
 * in the handle only; the caller that registers passes a function for its kind. */
typedef void (*callback_fn)(void);

struct callback {
    struct callback *next; /* the callback that was registered before */
    callback_fn function;
    void *user_data;
};

/* Adds a callback at the head of the list; false: no memory. */
bool
callback_push(struct callback **list, callback_fn function, void *user_data);

/* Passes each callback to `call` with the object, and frees the list. */
void
callback_run(struct callback *list, void *object,
             void (*call)(callback_fn function, void *object, void *user_data));
