/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * SHA-256 (FIPS 180-4), for keys of the kernel cache.
 *
 *     struct sha256 s = sha256_begin();
 *     sha256_add(&s, bytes, size);
 *     sha256_end(&s, digest);
 */
enum { SHA256_SIZE = 32, SHA256_TEXT = 65 };

struct sha256 {
    uint32_t state[8];
    uint64_t size; /* bytes so far */
    uint8_t block[64];
};

struct sha256
sha256_begin(void);

void
sha256_add(struct sha256 *s, const void *bytes, size_t size);

/* Adds the size, then the bytes, so that "ab" "c" and "a" "bc" differ. */
void
sha256_add_sized(struct sha256 *s, const void *bytes, size_t size);

void
sha256_end(struct sha256 *s, uint8_t digest[SHA256_SIZE]);

/* Writes a digest in hexadecimal. */
void
sha256_text(const uint8_t digest[SHA256_SIZE], char text[SHA256_TEXT]);
