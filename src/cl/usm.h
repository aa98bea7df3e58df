/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cl/device.h"

/* cl_intel_unified_shared_memory: the memory of svm.h by other calls.  Memory of the
 * host, of a device and of both differ only in the answers of queries. */

/* The capabilities of the device with memory that the host uses at the same time, or
 * with memory of its own. */
cl_device_unified_shared_memory_capabilities_intel
usm_capabilities(cl_device_id d, bool own);

/* The capabilities with any memory of the process. */
cl_device_unified_shared_memory_capabilities_intel
usm_system_capabilities(cl_device_id d);

/* An entry of this extension, or of cl_ext_buffer_device_address; NULL: no such name. */
void *
usm_entry(const char *name);
