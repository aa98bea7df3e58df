/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Hints: instructions without an effect by which the device library tells a checker
 * about the collective operations of a work-group (docs/abi.md, Hints).  `slti x0, x0,
 * n` begins a hint; its operands follow, each as `slti x0, xN, HINT_OPERAND` if the
 * warp has one value, else as `vmv.x.s x0, vN`. */
enum hint {
    HINT_COPY = 1,       /* operands: to, from, elements, stride, event */
    HINT_TO = 2,         /* as HINT_COPY; the destination has the stride */
    HINT_FROM = 3,       /* as HINT_COPY; the source has the stride */
    HINT_START = 4,      /* the copy's accesses begin */
    HINT_END = 5,        /* the copy's accesses have ended */
    HINT_WAIT = 6,       /* operands: events */
    HINT_WAITS = 7,      /* no more events to wait for; a barrier follows */
    HINT_OPERAND = 8,    /* with a register: an operand of the hint before */
    HINT_BOUNDS = 9,     /* the index of an array is too large; no operands */
    HINT_UNWRITTEN = 10, /* with a register: its value is from no store */
    HINT_IMAGE = 11,     /* coordinates are outside of an image; no operands */
    HINT_ALIGN = 12,  /* an address is not aligned for its type; no operands */
    HINT_DIVIDE = 13, /* a division of integers by zero; no operands */
    HINT_ARGUMENT =
        14, /* the next instruction accesses the object of argument n / 16 */
    /* Numbers below are hints; above: log2 of an element's bytes. */
    HINT_KINDS = 16,
};

/* The object of the source that the next access belongs to.  An argument below
 * HINT_ARGUMENTS is HINT_ARGUMENT; a variable is two instructions `lui x0, n`, with
 * its offset in the kernel's local memory, or with HINT_PRIVATE in private memory, and
 * its size in bytes, both below HINT_MAX_B. */
enum {
    HINT_ARGUMENTS = 127,
    HINT_PRIVATE = 1 << 19,
    HINT_MAX_B = HINT_PRIVATE,
};
