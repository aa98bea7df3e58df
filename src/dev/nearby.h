/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "dev/device.h"

/* The allocation that an argument's buffer, or the pixels of its image, are
 * in; NULL: none. */
const struct space_range *
nearby_range(const struct ventus_dev_ticket *t, size_t i);

/* The allocation that the address is in, or else is about; NULL: none. */
const struct space_range *
nearby_allocation(const struct ventus_dev_ticket *t, uint64_t address);

/* Adds what the address is in; false: in nothing that is known. */
bool
nearby_inside(const struct ventus_dev_ticket *t, struct ventus_dev_result *r);

/* If it is mapped, is it memory of the host program (host_memory)? */
bool
nearby_may_be_host(const struct ventus_dev_ticket *t, uint64_t address);

/* Adds to the message what is at or near the fault's address. */
void
nearby_append(const struct ventus_dev_ticket *t, struct ventus_dev_result *r);
