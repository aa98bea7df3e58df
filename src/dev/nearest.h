/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "dev/ticket.h"

/* The allocation that an argument's buffer, or the pixels of its image, are
 * in; NULL: none. */
const struct space_range *
nearest_range(const struct ventus_dev_ticket *t, size_t i);

/* The allocation that the address is in, or else is about; NULL: none. */
const struct space_range *
nearest_allocation(const struct ventus_dev_ticket *t, uint64_t address);

/* Adds what the address is in; false: in nothing that is known. */
bool
nearest_inside(const struct ventus_dev_ticket *t, struct ventus_dev_result *r);

/* Tests whether an address, if it is mapped, is memory of the host program
 * (host_memory). */
bool
nearest_may_be_host(const struct ventus_dev_ticket *t, uint64_t address);

/* Adds to the message what is at or near the fault's address. */
void
nearest_append(const struct ventus_dev_ticket *t, struct ventus_dev_result *r);
