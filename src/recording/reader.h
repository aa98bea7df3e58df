/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "recording/recording.h"

/*
 * A reader of recordings of any origin: everything in the file is checked before it is
 * used, and blocks beyond the limits of recording.h are not unpacked.  Errors are in
 * the sink.
 *
 *     struct recording *r = recording_open(path, &sink);
 *     for (size_t i = 0; i < recording_launches(r); i++)
 *         recording_launch(r, i, &arena, &launch, &result, &sink);
 *     recording_close(r);
 */
struct recording;

/* Opens a recording.  NULL: an error, which is reported.  The sink is not kept. */
struct recording *
recording_open(const char *path, struct diag_sink *sink);

/* Closes a recording.  NULL does nothing. */
void
recording_close(struct recording *r);

const char *
recording_path(const struct recording *r);

size_t
recording_launches(const struct recording *r);

/* Reads launch `i` into the arena; result->message is NULL if the file has no result.
 * The ranges have only changed pages.  False: an error, which is reported. */
bool
recording_read_launch(struct recording *r, size_t i, struct arena *a,
                      struct recording_launch *launch,
                      struct recording_result *result, struct diag_sink *sink);

/* Reads the ELF of a launch into the arena; NULL: an error, which is reported. */
const uint8_t *
recording_read_program(struct recording *r, uint32_t program, struct arena *a,
                       size_t *size, struct diag_sink *sink);

/* Reads page `number` of the file; page 0 is zeros.  False: an error, which is
 * reported. */
bool
recording_read_page(struct recording *r, uint64_t number,
                    uint8_t page[RECORDING_PAGE], struct diag_sink *sink);
