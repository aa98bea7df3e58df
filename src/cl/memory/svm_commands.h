/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cl/queue/command_buffer.h"
#include "cl/queue/queue.h"

/* Commands that SVM and unified shared memory have in common. */
enum { SVM_PATTERN = 128 };

/* Checks that the queue is of a device with shared memory. */
cl_int
svm_check_queue(cl_command_queue q);

/* Enqueues or records a memcpy, of any memory of the process. */
cl_int
svm_submit_copy(const struct submission *s, cl_command_type type, void *to,
                const void *from, size_t size);

cl_int
svm_submit_fill(const struct submission *s, cl_command_type type, void *to,
                const void *pattern, size_t pattern_size, size_t size);

/* Enqueues a command without an effect; checks the wait list, but not the queue. */
cl_int
svm_enqueue_nothing(cl_command_queue q, cl_command_type type, cl_bool blocking,
                    const struct wait *wait, cl_event *event);
