/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/buf.h"
#include "cl/platform/device.h"

/*
 * Program binaries, as CL_PROGRAM_BINARIES returns and clCreateProgramWithBinary
 * accepts them.  An executable is an ELF file, as `ventus cc` writes it.  A compiled
 * object or a library is LLVM bitcode after a header of this project, which LLVM's own
 * tools skip: they find the offset of the bitcode after the magic 0x0b17c0de.  Words
 * of 4 bytes, little-endian:
 *
 *      0  0x0b17c0de, version 0, offset of the bitcode, its size, CPU type 0
 *     20  "VTNSOBJ1"
 *     28  the type, CL_PROGRAM_BINARY_TYPE_...; the version of the
 *         instruction set it is meant for
 *     36  SHA-256 of the words at 28 and the bitcode
 *
 * A compiled object may also be an ELF object, as `ventus as` and `ventus cc --emit o`
 * write it.
 */

/* Appends bitcode with its header; false: the host has no memory. */
bool
binary_wrap(struct buf *to, cl_program_binary_type type, unsigned isa,
            const struct buf *bitcode);

/* The type of a binary from the application, for a device; NONE if it is unusable, or
 * if the host has no memory to check it. */
cl_program_binary_type
binary_classify(cl_device_id device, const void *bytes, size_t size,
                bool *no_memory);

/* The version of the instruction set of a refused binary, if the device has another;
 * else 0. */
unsigned
binary_other_isa(cl_device_id device, const void *bytes, size_t size);

/* The size of an executable's variables; 0 for other binaries. */
size_t
binary_variables_B(const void *bytes, size_t size);

/* The version of the instruction set of a device. */
unsigned
binary_isa(cl_device_id device);
