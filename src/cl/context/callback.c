/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/context/callback.h"

#include <stdlib.h>

bool
callback_push(struct callback **list, callback_fn function, void *user_data)
{
    struct callback *c = malloc(sizeof *c);
    if (!c)
        return false;
    *c = (struct callback){ *list, function, user_data };
    *list = c;
    return true;
}

void
callback_run(struct callback *list, void *object,
             void (*call)(callback_fn function, void *object, void *user_data))
{
    while (list) {
        struct callback *c = list;
        list = c->next;
        call(c->function, object, c->user_data);
        free(c);
    }
}
