/* SPDX-License-Identifier: Apache-2.0 */
/* Commands on images against plain loops. */
#include "image.h"

enum { W = 9, H = 7, D = 5, MOST = 16 * 16 * 16 * 4 };

struct ventus_model { /* an image and its pixels, dense */
    cl_mem image;
    size_t size[3]; /* as origin and region count */
    unsigned char pixels[W * H * D * 4];
};

static unsigned char *
pixel(struct ventus_model *m, size_t x, size_t y, size_t z)
{
    return m->pixels + ((z * m->size[1] + y) * m->size[0] + x) * 4;
}

static void
open_model(struct cl *t, struct ventus_model *m, cl_mem_object_type type)
{
    cl_image_desc d = desc_of(type, W, H, D);
    bool rows =
        type != CL_MEM_OBJECT_IMAGE1D && type != CL_MEM_OBJECT_IMAGE1D_BUFFER;
    bool slices =
        type == CL_MEM_OBJECT_IMAGE3D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
    m->size[0] = W;
    m->size[1] = rows ? H : 1;
    m->size[2] = slices ? D : 1;
    for (size_t i = 0; i < sizeof m->pixels; i++)
        m->pixels[i] = (unsigned char)below(256);
    if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER) {
        d.buffer = cl_buffer(t, CL_MEM_COPY_HOST_PTR, W * 4, m->pixels);
        m->image = create(t, 0, &rgba8, &d, NULL);
        OK(clReleaseMemObject(d.buffer));
    } else {
        m->image = create(t, CL_MEM_COPY_HOST_PTR, &rgba8, &d, m->pixels);
    }
}

static void
check_model(struct cl *t, struct ventus_model *m)
{
    static unsigned char back[W * H * D * 4];
    size_t n = m->size[0] * m->size[1] * m->size[2] * 4;
    OK(clEnqueueReadImage(t->queue, m->image, CL_TRUE, zero, m->size, 0, 0,
                          back, 0, NULL, NULL));
    CHECK(memcmp(back, m->pixels, n) == 0);
}

static void
choose(const struct ventus_model *a, const struct ventus_model *b,
       size_t from[3], size_t to[3], size_t region[3])
{
    for (int i = 0; i < 3; i++) {
        size_t least = a->size[i] < b->size[i] ? a->size[i] : b->size[i];
        region[i] = 1 + below(least);
        from[i] = below(a->size[i] - region[i] + 1);
        to[i] = below(b->size[i] - region[i] + 1);
    }
}

#define EACH(x, y, z, region)                  \
    for (size_t z = 0; z < region[2]; z++)     \
        for (size_t y = 0; y < region[1]; y++) \
            for (size_t x = 0; x < region[0]; x++)

static unsigned char host[MOST], expected[MOST];

static void
randomise_host(void)
{
    for (size_t i = 0; i < MOST; i++)
        host[i] = (unsigned char)below(256);
    memcpy(expected, host, MOST);
}

/* Reads and writes with pitches; a 1D array's rows are slices. */
static void
through_host(struct cl *t, struct ventus_model *m, cl_mem_object_type type)
{
    size_t o[3], unused[3], r[3];
    choose(m, m, o, unused, r);
    bool array = type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    size_t row = r[0] * 4 + below(3) * 4;
    size_t slice = (array ? row : row * r[1]) + below(3) * row;
    bool slices = array || m->size[2] > 1;
    size_t y_step = array ? slice : row;
    randomise_host();
    EACH(x, y, z, r)
    memcpy(expected + z * slice + y * y_step + 4 * x,
           pixel(m, o[0] + x, o[1] + y, o[2] + z), 4);
    OK(clEnqueueReadImage(t->queue, m->image, CL_TRUE, o, r, row,
                          slices ? slice : 0, host, 0, NULL, NULL));
    CHECK(memcmp(host, expected, MOST) == 0);
    randomise_host();
    EACH(x, y, z, r)
    memcpy(pixel(m, o[0] + x, o[1] + y, o[2] + z),
           host + z * slice + y * y_step + 4 * x, 4);
    OK(clEnqueueWriteImage(t->queue, m->image, CL_TRUE, o, r, row,
                           slices ? slice : 0, host, 0, NULL, NULL));
    check_model(t, m);
}

static void
through_buffer(struct cl *t, struct ventus_model *m)
{
    size_t o[3], unused[3], r[3], offset = below(64);
    choose(m, m, o, unused, r);
    cl_mem b = cl_buffer(t, 0, MOST, NULL);
    randomise_host();
    OK(clEnqueueWriteBuffer(t->queue, b, CL_TRUE, 0, MOST, host, 0, NULL,
                            NULL));
    EACH(x, y, z, r)
    memcpy(expected + offset + ((z * r[1] + y) * r[0] + x) * 4,
           pixel(m, o[0] + x, o[1] + y, o[2] + z), 4);
    OK(clEnqueueCopyImageToBuffer(t->queue, m->image, b, o, r, offset, 0, NULL,
                                  NULL));
    OK(clEnqueueReadBuffer(t->queue, b, CL_TRUE, 0, MOST, host, 0, NULL, NULL));
    CHECK(memcmp(host, expected, MOST) == 0);
    offset = below(64);
    choose(m, m, o, unused, r);
    EACH(x, y, z, r)
    memcpy(pixel(m, o[0] + x, o[1] + y, o[2] + z),
           host + offset + ((z * r[1] + y) * r[0] + x) * 4, 4);
    OK(clEnqueueCopyBufferToImage(t->queue, b, m->image, offset, o, r, 0, NULL,
                                  NULL));
    check_model(t, m);
    OK(clReleaseMemObject(b));
}

static void
fill_and_map(struct cl *t, struct ventus_model *m)
{
    static const float color[4] = { 0.25f, -1, 2, 0.5f };
    static const unsigned char filled[4] = { 64, 0, 255, 128 };
    size_t o[3], unused[3], r[3], row = 0, slice = 0;
    cl_int code;
    choose(m, m, o, unused, r);
    EACH(x, y, z, r)
    memcpy(pixel(m, o[0] + x, o[1] + y, o[2] + z), filled, 4);
    OK(clEnqueueFillImage(t->queue, m->image, color, o, r, 0, NULL, NULL));
    check_model(t, m);
    choose(m, m, o, unused, r);
    unsigned char *at;
    CREATES(at, clEnqueueMapImage(t->queue, m->image, CL_TRUE,
                                  CL_MAP_READ | CL_MAP_WRITE, o, r, &row,
                                  &slice, 0, NULL, NULL, &code));
    CHECK(row >= 4 * r[0]);
    cl_mem_object_type type;
    OK(clGetMemObjectInfo(m->image, CL_MEM_TYPE, sizeof type, &type, NULL));
    size_t y_step = type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? slice : row;
    EACH(x, y, z, r)
    {
        unsigned char *p = at + z * slice + y * y_step + 4 * x;
        unsigned char *q = pixel(m, o[0] + x, o[1] + y, o[2] + z);
        CHECK(memcmp(p, q, 4) == 0);
        for (int i = 0; i < 4; i++)
            p[i] = q[i] = (unsigned char)(q[i] ^ 0x5a);
    }
    OK(clEnqueueUnmapMemObject(t->queue, m->image, at, 0, NULL, NULL));
    check_model(t, m);
}

static struct ventus_model models[2][6];

TEST(moves)
{
    struct cl t = cl_open(0);
    for (unsigned i = 0; i < 12; i++)
        open_model(&t, &models[i / 6][i % 6], CL_MEM_OBJECT_IMAGE2D + i % 6);
    for (unsigned i = 0; i < 6; i++) {
        for (unsigned k = 0; k < 20; k++) {
            through_host(&t, &models[0][i], CL_MEM_OBJECT_IMAGE2D + i);
            through_buffer(&t, &models[0][i]);
            fill_and_map(&t, &models[0][i]);
        }
    }
    for (unsigned i = 0; i < 36; i++) { /* from each kind to each */
        struct ventus_model *a = &models[0][i / 6], *b = &models[1][i % 6];
        size_t from[3], to[3], r[3];
        choose(a, b, from, to, r);
        EACH(x, y, z, r)
        memcpy(pixel(b, to[0] + x, to[1] + y, to[2] + z),
               pixel(a, from[0] + x, from[1] + y, from[2] + z), 4);
        OK(clEnqueueCopyImage(t.queue, a->image, b->image, from, to, r, 0, NULL,
                              NULL));
        check_model(&t, b);
    }
    for (unsigned i = 0; i < 12; i++)
        OK(clReleaseMemObject(models[i / 6][i % 6].image));
    cl_close(&t);
}

/* Copies inside of one image are refused if they overlap. */
TEST(overlap)
{
    struct cl t = cl_open(0);
    cl_mem m = image_2d(&t, 8, 8);
    int met = 0;
    for (int i = 0; i < 200; i++) {
        size_t r[3] = { 1 + below(4), 1 + below(4), 1 };
        size_t a[3] = { below(5), below(5), 0 }, b[3] = { below(5), below(5) };
        bool meet = a[0] < b[0] + r[0] && b[0] < a[0] + r[0] &&
                    a[1] < b[1] + r[1] && b[1] < a[1] + r[1];
        met += meet;
        CHECK_EQ(clEnqueueCopyImage(t.queue, m, m, a, b, r, 0, NULL, NULL),
                 meet ? CL_MEM_COPY_OVERLAP : CL_SUCCESS);
    }
    CHECK(met > 20 && met < 180);
    OK(clFinish(t.queue));
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

/* The application's memory with its pitch: maps are there. */
TEST(host_memory)
{
    struct cl t = cl_open(0);
    static uint32_t memory[4][8];
    cl_int code;
    size_t row;
    for (uint32_t i = 0; i < 32; i++)
        memory[i / 8][i % 8] = i;
    cl_image_desc d = desc_of(CL_MEM_OBJECT_IMAGE2D, 5, 4, 0);
    d.image_row_pitch = sizeof memory[0];
    cl_mem m = create(&t, CL_MEM_USE_HOST_PTR, &rgba8, &d, memory);
    SAYS(m, CL_IMAGE_ROW_PITCH, size_t, sizeof memory[0]);
    const size_t o[3] = { 2, 1, 0 }, r[3] = { 2, 3, 1 };
    uint32_t color[2] = { 0 }, back[6];
    OK(clEnqueueReadImage(t.queue, m, CL_TRUE, o, r, 0, 0, back, 0, NULL,
                          NULL));
    CHECK(back[0] == 10 && back[1] == 11 && back[4] == 26);
    OK(clEnqueueWriteImage(t.queue, m, CL_TRUE, o, (size_t[]){ 2, 1, 1 }, 0, 0,
                           color, 0, NULL, NULL));
    void *at = clEnqueueMapImage(t.queue, m, CL_TRUE, CL_MAP_READ, o, r, &row,
                                 NULL, 0, NULL, NULL, &code);
    CHECK(at == &memory[1][2] && row == sizeof memory[0]);
    CHECK(memory[1][2] == 0 && memory[1][3] == 0 && memory[1][4] == 12);
    OK(clEnqueueUnmapMemObject(t.queue, m, at, 0, NULL, NULL));
    OK(clFinish(t.queue));
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

TEST(refused_commands)
{
    struct cl t = cl_open(0), u = cl_open(0);
    cl_command_queue q = t.queue;
    char bytes[1024];
    cl_int code;
    size_t row, slice;
    cl_event e;
    cl_mem m = image_2d(&t, 4, 4), other = image_2d(&u, 4, 4);
    cl_mem b = cl_buffer(&t, 0, 1024, NULL);
    cl_image_desc d = desc_of(CL_MEM_OBJECT_IMAGE3D, 4, 4, 4);
    cl_mem closed = create(&t, CL_MEM_HOST_NO_ACCESS, &rgba8, &d, NULL);
    cl_image_format f = { CL_R, CL_FLOAT };
    cl_mem floats = create(&t, 0, &f, &d, NULL);
    const size_t all[3] = { 4, 4, 1 }, far[3] = { 1, 0, 0 };
    const size_t none[3] = { 4, 0, 1 }, deep[3] = { 4, 4, 2 };
#define READ(q, m, o, r, row, slice, p) \
    clEnqueueReadImage(q, m, CL_TRUE, o, r, row, slice, p, 0, NULL, NULL)
    OK(READ(q, m, zero, all, 0, 0, bytes));
    FAILS(CL_INVALID_COMMAND_QUEUE,
          READ((cl_command_queue)m, m, zero, all, 0, 0, bytes));
    FAILS(CL_INVALID_CONTEXT, READ(q, other, zero, all, 0, 0, bytes));
    FAILS(CL_INVALID_MEM_OBJECT, READ(q, b, zero, all, 0, 0, bytes));
    FAILS(CL_INVALID_VALUE, READ(q, m, far, all, 0, 0, bytes));
    FAILS(CL_INVALID_VALUE, READ(q, m, zero, none, 0, 0, bytes));
    FAILS(CL_INVALID_VALUE, READ(q, m, zero, deep, 0, 0, bytes));
    FAILS(CL_INVALID_VALUE, READ(q, m, NULL, all, 0, 0, bytes));
    FAILS(CL_INVALID_VALUE, READ(q, m, zero, NULL, 0, 0, bytes));
    FAILS(CL_INVALID_VALUE, READ(q, m, zero, all, 15, 0, bytes));
    FAILS(CL_INVALID_VALUE, READ(q, m, zero, all, 16, 64, bytes));
    FAILS(CL_INVALID_VALUE, READ(q, floats, zero, deep, 16, 60, bytes));
    FAILS(CL_INVALID_VALUE, READ(q, m, zero, all, 0, 0, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST,
          clEnqueueReadImage(q, m, CL_TRUE, zero, all, 0, 0, bytes, 1, NULL,
                             NULL));
    FAILS(CL_INVALID_OPERATION, READ(q, closed, zero, all, 0, 0, bytes));
    FAILS(CL_INVALID_OPERATION,
          clEnqueueWriteImage(q, closed, CL_TRUE, zero, all, 0, 0, bytes, 0,
                              NULL, NULL));
#define MAP(m, flags, row, slice)                                           \
    clEnqueueMapImage(q, m, CL_TRUE, flags, zero, all, row, slice, 0, NULL, \
                      NULL, &code)
    REFUSES(CL_INVALID_OPERATION, MAP(closed, CL_MAP_READ, &row, &slice));
    REFUSES(CL_INVALID_VALUE, MAP(m, CL_MAP_READ, NULL, NULL));
    REFUSES(CL_INVALID_VALUE, MAP(floats, CL_MAP_READ, &row, NULL));
    REFUSES(CL_INVALID_VALUE, MAP(m, 64, &row, NULL));
#define MAP_REGION(origin, region)                                      \
    clEnqueueMapImage(q, m, CL_TRUE, CL_MAP_READ, origin, region, &row, \
                      &slice, 0, NULL, NULL, &code)
    REFUSES(CL_INVALID_VALUE, MAP_REGION(far, all));
    REFUSES(CL_INVALID_VALUE, MAP_REGION(NULL, all));
    REFUSES(CL_INVALID_VALUE, MAP_REGION(zero, NULL));
    REFUSES(CL_INVALID_VALUE, MAP_REGION(zero, zero));
    REFUSES(CL_INVALID_MEM_OBJECT, MAP(b, CL_MAP_READ, &row, NULL));
    FAILS(CL_IMAGE_FORMAT_MISMATCH,
          clEnqueueCopyImage(q, m, floats, zero, zero, one, 0, NULL, NULL));
    FAILS(CL_INVALID_CONTEXT,
          clEnqueueCopyImage(q, m, other, zero, zero, one, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clEnqueueCopyImage(q, m, m, zero, far, all, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clEnqueueCopyImageToBuffer(q, m, b, zero, all, 961, 0, NULL, NULL));
    FAILS(CL_INVALID_MEM_OBJECT,
          clEnqueueCopyBufferToImage(q, m, m, 0, zero, all, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clEnqueueFillImage(q, m, NULL, zero, all, 0, NULL, NULL));
    /* Entries of buffers do not take images. */
    FAILS(CL_INVALID_MEM_OBJECT,
          clEnqueueReadBuffer(q, m, CL_TRUE, 0, 4, bytes, 0, NULL, NULL));
    cl_buffer_region part = { 0, 16 };
    REFUSES(
        CL_INVALID_MEM_OBJECT,
        clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &code));
    OK(clEnqueueMigrateMemObjects(q, 1, &m, 0, 0, NULL, &e));
    OK(clWaitForEvents(1, &e));
    OK(clReleaseEvent(e));
    OK(clReleaseMemObject(m));
    OK(clReleaseMemObject(other));
    OK(clReleaseMemObject(b));
    OK(clReleaseMemObject(closed));
    OK(clReleaseMemObject(floats));
    cl_close(&t);
    cl_close(&u);
}

TEST_MAIN
