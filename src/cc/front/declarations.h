/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Lines that clang reads before each source: declarations of functions of extensions that
 * its own header lacks.  clang knows cl_intel_subgroups by name, and declares those of its
 * functions that cl_khr_subgroups has.  No warning that a program asks for is of these
 * lines. */
extern const char front_declarations[];
