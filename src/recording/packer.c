/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/packer.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "base/bytes.h"
#include "base/output.h"
#include "base/thread.h"
#include "recording/encode.h"

/* Levels of zstd: LEVEL takes a fifth to two fifths less time than -3, and less than
 * half of level 1's; files of numbers are a tenth to a third larger than at -3. */
enum { LEVEL = -20, QUICK_LEVEL = -60 };

/* The thread is woken when so many bytes wait. */
enum { WAKE_B = 1 << 18 };

/* A block that waits, or an unused buffer. */
struct job {
    struct job *next;
    enum recording_block_kind kind;
    bool quick;
    size_t size, capacity;
    _Alignas(16) uint8_t bytes[];
};

struct packer {
    struct output out;
    ZSTD_CCtx *zstd;
    uint8_t *packed;
    size_t packed_B;
    struct thread_handle thread;
    bool has_thread;
    pid_t process;
    pthread_mutex_t lock;
    pthread_cond_t comes, goes;
    /* Protected by the lock: */
    struct job *first, **last; /* blocks that wait, in order */
    struct job *spare;         /* buffers to be reused */
    size_t waiting; /* waiting bytes, including those that are being packed */
    bool ends;
    int error;
};

/* Whether this process made the packer: in a forked child neither lock nor file may be
 * used. */
static bool
is_ours(const struct packer *p)
{
    return p->process == getpid();
}

/* ---- packing ---- */

static void
write_header(struct packer *p)
{
    uint8_t h[RECORDING_HEADER_B] = RECORDING_MAGIC;
    bytes_store(h + 8, 4, RECORDING_VERSION);
    bytes_store(h + 12, 4, RECORDING_PAGE);
    bytes_store(h + 28, 4, recording_check(h, 28));
    if (!output_write(&p->out, h, sizeof h))
        packer_fail(p, errno);
}

/* Allocates the buffer for the head of a block and for `size` bytes, packed. */
static bool
grow_packed(struct packer *p, size_t size)
{
    size_t bound = RECORDING_BLOCK_B + ZSTD_compressBound(size);
    if (bound <= p->packed_B)
        return true;
    free(p->packed);
    p->packed = malloc(bound);
    p->packed_B = p->packed ? bound : 0;
    return p->packed != NULL;
}

/* Packs and writes a block; 0, or errno. */
static int
pack_block(struct packer *p, const struct job *j)
{
    if (!grow_packed(p, j->size))
        return ENOMEM;
    uint8_t *h = p->packed, *packed = h + RECORDING_BLOCK_B;
    ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_compressionLevel,
                           j->quick ? QUICK_LEVEL : LEVEL);
    size_t n = ZSTD_compress2(p->zstd, packed, p->packed_B - RECORDING_BLOCK_B,
                              j->bytes, j->size);
    if (ZSTD_isError(n))
        return ENOMEM;
    memset(h, 0, RECORDING_BLOCK_B);
    bytes_store(h, 4, j->kind);
    bytes_store(h + 8, 8, n);
    bytes_store(h + 16, 8, j->size);
    bytes_store(h + 24, 4, recording_check(packed, n));
    bytes_store(h + 28, 4, recording_check(h, 28));
    errno = 0;
    if (output_write(&p->out, h, RECORDING_BLOCK_B + n))
        return 0;
    return errno ? errno : EIO;
}

/* Frees a buffer, or keeps it for reuse if it has the size of a block of pages; the
 * lock is held. */
static void
give_back(struct packer *p, struct job *j)
{
    if (j->capacity != RECORDING_BLOCK_PAGES * RECORDING_PAGE) {
        free(j);
        return;
    }
    j->next = p->spare;
    p->spare = j;
}

/* Packs the first block; the lock is held, but released during the work. */
static void
pack_first(struct packer *p)
{
    struct job *j = p->first;
    assert(j && j->size <= j->capacity);
    p->first = j->next;
    if (!p->first)
        p->last = &p->first;
    int why = p->error;
    pthread_mutex_unlock(&p->lock);
    if (!why)
        why = pack_block(p, j);
    pthread_mutex_lock(&p->lock);
    if (!p->error)
        p->error = why;
    assert(p->waiting >= j->size && "a block is counted while it waits");
    p->waiting -= j->size;
    give_back(p, j);
    pthread_cond_signal(&p->goes);
}

static void
run_thread(void *ctx)
{
    struct packer *p = ctx;
    pthread_mutex_lock(&p->lock);
    while (p->first || !p->ends) {
        if (p->first)
            pack_first(p);
        else
            pthread_cond_wait(&p->comes, &p->lock);
    }
    pthread_mutex_unlock(&p->lock);
}

/* ---- interface ---- */

struct packer *
packer_open(const char *path)
{
    struct packer *p = calloc(1, sizeof *p);
    if (!p || !(path ? output_open(&p->out, path, OUTPUT_PRIVATE | OUTPUT_LONG)
                     : output_open_memory(&p->out))) {
        free(p);
        return NULL;
    }
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->comes, NULL);
    pthread_cond_init(&p->goes, NULL);
    p->last = &p->first;
    p->process = getpid();
    p->zstd = ZSTD_createCCtx();
    if (!p->zstd) {
        packer_close(p, false);
        errno = ENOMEM;
        return NULL;
    }
    write_header(p);
    p->has_thread = thread_start(&p->thread, run_thread, p);
    return p;
}

bool
packer_ok(struct packer *p)
{
    if (!is_ours(p))
        return false;
    pthread_mutex_lock(&p->lock);
    bool ok = !p->error;
    pthread_mutex_unlock(&p->lock);
    return ok;
}

void
packer_fail(struct packer *p, int why)
{
    if (!is_ours(p))
        return;
    pthread_mutex_lock(&p->lock);
    if (!p->error)
        p->error = why ? why : EIO;
    pthread_mutex_unlock(&p->lock);
}

/* Takes a buffer to be reused; the lock is held. */
static struct job *
take_spare(struct packer *p, size_t size)
{
    struct job *j = p->spare;
    if (!j || j->capacity != size)
        return NULL;
    p->spare = j->next;
    return j;
}

uint8_t *
packer_buffer(struct packer *p, size_t size)
{
    struct job *j = NULL;
    if (!is_ours(p))
        return NULL;
    pthread_mutex_lock(&p->lock);
    while (p->waiting && p->waiting + size > PACKER_WAITING && !p->error) {
        pthread_cond_signal(&p->comes);
        pthread_cond_wait(&p->goes, &p->lock);
    }
    bool ok = !p->error;
    if (ok)
        j = take_spare(p, size);
    pthread_mutex_unlock(&p->lock);
    if (!ok)
        return NULL;
    if (!j) {
        j = malloc(sizeof *j + size);
        if (!j) {
            packer_fail(p, ENOMEM);
            return NULL;
        }
        j->capacity = size;
    }
    return j->bytes;
}

static struct job *
job_of(uint8_t *buffer)
{
    return (struct job *)(void *)(buffer - offsetof(struct job, bytes));
}

void
packer_put(struct packer *p, enum recording_block_kind kind, uint8_t *buffer,
           size_t size, bool quick)
{
    struct job *j = job_of(buffer);
    assert(size <= j->capacity && kind >= RECORDING_PAGES &&
           kind <= RECORDING_END);
    if (!is_ours(p)) {
        free(j);
        return;
    }
    j->kind = kind;
    j->quick = quick;
    j->size = size;
    j->next = NULL;
    pthread_mutex_lock(&p->lock);
    *p->last = j;
    p->last = &j->next;
    p->waiting += size;
    if (!p->has_thread)
        pack_first(p);
    else if (p->waiting >= WAKE_B)
        pthread_cond_signal(&p->comes);
    pthread_mutex_unlock(&p->lock);
}

void
packer_drop(struct packer *p, uint8_t *buffer)
{
    if (!buffer || !is_ours(p))
        return;
    pthread_mutex_lock(&p->lock);
    give_back(p, job_of(buffer));
    pthread_mutex_unlock(&p->lock);
}

static void
end_thread(struct packer *p)
{
    if (!p->has_thread)
        return;
    pthread_mutex_lock(&p->lock);
    assert(!p->ends && "a packer is closed once");
    p->ends = true;
    pthread_cond_signal(&p->comes);
    pthread_mutex_unlock(&p->lock);
    thread_join(&p->thread);
}

static void
free_packer(struct packer *p)
{
    assert(!p->first);
    for (struct job *j = p->spare, *next; j; j = next) {
        next = j->next;
        free(j);
    }
    ZSTD_freeCCtx(p->zstd);
    free(p->packed);
    pthread_cond_destroy(&p->comes);
    pthread_cond_destroy(&p->goes);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

bool
packer_close(struct packer *p, bool keep)
{
    if (!is_ours(p)) {
        errno = ECHILD;
        return false;
    }
    end_thread(p);
    assert(!p->first && !p->waiting && "the thread has written every block");
    int why = p->error;
    if (!output_close(&p->out, keep && !why) && !why)
        why = errno;
    free_packer(p);
    errno = why;
    return !keep || !why;
}

int
packer_take(struct packer *p)
{
    assert(is_ours(p) && !p->out.target);
    end_thread(p);
    int why = p->error, fd = why ? -1 : dup(p->out.fd);
    if (!why && fd < 0)
        why = errno;
    output_close(&p->out, false);
    free_packer(p);
    errno = why;
    return fd;
}
