/* SPDX-License-Identifier: Apache-2.0 */
#include "base/defer.h"

#include <stdint.h>

#include "base/diag.h"
#include "base/vec.h"
#include "test.h"

struct steps {
    char order[16];
    unsigned n;
    bool inner_failed;
};

static void
note_a(void *what)
{
    struct steps *s = what;
    s->order[s->n++] = 'a';
}

static void
note_b(void *what)
{
    struct steps *s = what;
    s->order[s->n++] = 'b';
}

static void
succeed(void *ctx)
{
    struct oom_cleanup a, b;
    oom_defer(&a, note_a, ctx);
    oom_defer(&b, note_b, ctx);
    oom_keep(&b);
    oom_release(&a);
}

static void
run_out(void *ctx)
{
    struct arena arena = { 0 };
    struct oom_cleanup a, b, c;
    oom_defer(&a, note_a, ctx);
    oom_defer_arena(&c, &arena);
    arena_new(&arena, char, 100);
    oom_defer(&b, note_b, ctx);
    arena_new(&arena, uint64_t, SIZE_MAX / 8);
}

static void
run_out_inside(void *ctx)
{
    struct steps *s = ctx;
    struct oom_cleanup a;
    oom_defer(&a, note_a, ctx);
    s->inner_failed = !oom_call(run_out, ctx);
    oom_release(&a);
}

TEST(what_was_kept_is_not_released)
{
    struct steps s = { .n = 0 };
    CHECK(oom_call(succeed, &s));
    CHECK_STR(s.order, "a");
}

TEST(the_newest_is_released_first)
{
    struct steps s = { .n = 0 };
    CHECK(!oom_call(run_out, &s));
    CHECK_STR(s.order, "ba");
}

TEST(the_innermost_call_ends_and_the_outer_one_goes_on)
{
    struct steps s = { .n = 0 };
    CHECK(oom_call(run_out_inside, &s));
    CHECK(s.inner_failed);
    CHECK_STR(s.order, "baa");
}

static void
grow_buf(void *ctx)
{
    buf_fill(ctx, 1, 100);
    buf_fill(ctx, 2, PTRDIFF_MAX);
}

TEST(a_buffer_that_cannot_grow_keeps_what_it_has)
{
    struct buf b = { 0 };
    CHECK(!oom_call(grow_buf, &b));
    CHECK_EQ(b.n, 100);
    CHECK_EQ(b.at[99], 1);
    CHECK(!buf_reserve(&b, PTRDIFF_MAX));
    CHECK(buf_reserve(&b, 1000));
    CHECK_EQ(b.n, 100);
    CHECK(b.cap >= 1100);
    buf_free(&b);
}

TEST(a_released_arena_or_buffer_has_no_memory)
{
    struct arena arena = { 0 };
    struct buf buf = { 0 };
    struct oom_cleanup a, b;
    oom_defer_arena(&a, &arena);
    oom_defer_buf(&b, &buf);
    arena_new(&arena, char, 100);
    buf_fill(&buf, 1, 100);
    oom_release(&b);
    CHECK(!buf.at && !buf.cap && arena.last);
    oom_release(&a);
    CHECK(!arena.last);
}

TEST(the_error_itself_takes_no_memory_and_comes_once)
{
    struct diag_sink sink = { .arena = NULL };
    diag_out_of_memory(&sink);
    diag_out_of_memory(&sink);
    CHECK_EQ(sink.errors, 1);
    CHECK_STR(sink.first->message, "out of memory");
    CHECK(sink.first == sink.last && !sink.last->next);
}

TEST_MAIN
