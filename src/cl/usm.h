/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cl/device.h"

/*
 * cl_intel_unified_shared_memory: the memory of svm.h by other calls.  Memory of
 * the host, of a device and of both differ in what is said of them only: all is
 * at one place.
 */

/* What the device does with memory that the host uses meanwhile, or of a
 * device's own. */
cl_device_unified_shared_memory_capabilities_intel
usm_capabilities(cl_device_id d, bool own);

/* The same of any memory of the process. */
cl_device_unified_shared_memory_capabilities_intel
usm_system_capabilities(cl_device_id d);

/* An entry of it, or of cl_ext_buffer_device_address; NULL: none of that name. */
void *
usm_entry(const char *name);
