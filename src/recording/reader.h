/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "recording/recording.h"

/*
 * Reads a recording of any origin: everything in the file is checked before it
 * is used, and nothing is unpacked that is larger than recording.h
 * allows.  Errors are in the sink.
 *
 *     struct recording *r = recording_open(path, &sink);
 *     for (size_t i = 0; i < recording_launches(r); i++)
 *         recording_launch(r, i, &arena, &launch, &result, &sink);
 *     recording_close(r);
 */
struct recording;

/* NULL: reported.  The sink is used again by no other call. */
struct recording *
recording_open(const char *path, struct diag_sink *sink);

/* NULL does nothing. */
void
recording_close(struct recording *r);

const char *
recording_path(const struct recording *r);

size_t
recording_launches(const struct recording *r);

/*
 * Launch `i`, into the arena; result->message is NULL if the file does not say
 * how it ended.  The ranges have what changed only.  False: reported.
 */
bool
recording_read_launch(struct recording *r, size_t i, struct arena *a,
                      struct recording_launch *launch,
                      struct recording_result *result, struct diag_sink *sink);

/* The ELF of a launch, into the arena; NULL: reported. */
const uint8_t *
recording_read_program(struct recording *r, uint32_t program, struct arena *a,
                       size_t *size, struct diag_sink *sink);

/* Page `number` of the file; 0 is zeros.  False: reported. */
bool
recording_read_page(struct recording *r, uint64_t number,
                    uint8_t page[RECORDING_PAGE], struct diag_sink *sink);
