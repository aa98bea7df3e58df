// SPDX-License-Identifier: Apache-2.0
/*
 * The Mandelbrot set, as a picture: how often z = z * z + c can be done before
 * |z| > 2, for c at each pixel.  Neighbours need different numbers of rounds,
 * so warps diverge at the border of the set.
 */
#include "example.h"

#include <png.h>

static const char source[] =
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "kernel void mandelbrot(global int *rounds, float left, float top,\n"
    "                       float step, int limit)\n"
    "{\n"
    "    int column = get_global_id(0), row = get_global_id(1);\n"
    "    float cx = left + step * column, cy = top - step * row;\n"
    "    float x = 0, y = 0;\n"
    "    int n = 0;\n"
    "    while (n < limit && x * x + y * y <= 4) {\n"
    "        float next = x * x - y * y + cx;\n"
    "        y = 2 * x * y + cy;\n"
    "        x = next;\n"
    "        n++;\n"
    "    }\n"
    "    rounds[row * get_global_size(0) + column] = n;\n"
    "}\n";

struct view {
    int width, height, limit;
    float left, top, step;
};

/* The same on the host.  Both round each operation once, so that they agree
 * to the last bit; FP_CONTRACT is off in C with -std=c11 or where a processor
 * has no instruction for x * y + z. */
static int
rounds_at(const struct view *v, int column, int row)
{
    float cx = v->left + v->step * (float)column;
    float cy = v->top - v->step * (float)row;
    float x = 0, y = 0;
    int n = 0;
    while (n < v->limit && x * x + y * y <= 4) {
        float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        n++;
    }
    return n;
}

/* Blue to white outside, black inside. */
static void
write_png(const char *path, const struct view *v, const int *rounds)
{
    size_t pixels = (size_t)v->width * (size_t)v->height;
    uint8_t *rgb = example_alloc(pixels, 3);
    for (size_t i = 0; i < pixels; i++) {
        double shade = log1p(rounds[i]) / log1p(v->limit);
        if (rounds[i] == v->limit)
            shade = 0;
        rgb[3 * i] = (uint8_t)(255 * shade * shade * shade);
        rgb[3 * i + 1] = (uint8_t)(255 * shade * shade);
        rgb[3 * i + 2] = (uint8_t)(255 * sqrt(shade));
    }
    png_image image = { .version = PNG_IMAGE_VERSION,
                        .width = (png_uint_32)v->width,
                        .height = (png_uint_32)v->height,
                        .format = PNG_FORMAT_RGB };
    if (!png_image_write_to_file(&image, path, 0, rgb, 0, NULL)) {
        fprintf(stderr, "error: %s: %s\n", path, image.message);
        exit(2);
    }
    free(rgb);
    printf("wrote %s\n", path);
}

/* A picture for a terminal, whose letters are twice as high as wide. */
static void
print_preview(const struct view *v, const int *rounds, int columns)
{
    static const char shades[] = " .,:;+*%@";
    int lines = columns * v->height / v->width / 2;
    for (int line = 0; line < lines; line++) {
        for (int i = 0; i < columns; i++) {
            int n = rounds[line * v->height / lines * v->width +
                           i * v->width / columns];
            double shade = log1p(n) / log1p(v->limit);
            putchar(n == v->limit ? '#' : shades[(int)(shade * 8.99)]);
        }
        putchar('\n');
    }
}

int
main(int argc, char **argv)
{
    struct view v = { .width = 256, .height = 192, .limit = 200 };
    int preview = 0;
    const char *png = NULL;
    const struct example_option options[] = {
        { "width", "columns", &v.width, 1, 8192, NULL },
        { "height", "rows", &v.height, 1, 8192, NULL },
        { "limit", "most rounds for a pixel", &v.limit, 1, 1000000, NULL },
        { "png", "write the picture there", NULL, 0, 0, &png },
        { "preview", "print it, so many letters wide", &preview, 0, 1000,
          NULL },
        { 0 },
    };
    struct example ex =
        example_open("Draws the Mandelbrot set.", argc, argv, options);
    cl_kernel kernel = example_kernel(&ex, source, "mandelbrot", "");

    /* 2.4 high around -0.7 */
    v.step = 2.4f / (float)v.height;
    v.left = -0.7f - v.step * (float)v.width / 2;
    v.top = 1.2f;
    size_t pixels = (size_t)v.width * (size_t)v.height;
    int *rounds = example_alloc(pixels, sizeof(int));
    cl_mem out =
        example_buffer(&ex, CL_MEM_WRITE_ONLY, pixels * sizeof(int), NULL);
    CHECK(clSetKernelArg(kernel, 0, sizeof out, &out));
    CHECK(clSetKernelArg(kernel, 1, sizeof v.left, &v.left));
    CHECK(clSetKernelArg(kernel, 2, sizeof v.top, &v.top));
    CHECK(clSetKernelArg(kernel, 3, sizeof v.step, &v.step));
    CHECK(clSetKernelArg(kernel, 4, sizeof(cl_int), &v.limit));
    for (int i = 0; i < ex.repeat; i++) {
        example_start(&ex);
        CHECK(clEnqueueNDRangeKernel(
            ex.queue, kernel, 2, NULL,
            (size_t[]){ (size_t)v.width, (size_t)v.height }, NULL, 0, NULL,
            NULL));
        example_stop(&ex);
    }
    CHECK(clEnqueueReadBuffer(ex.queue, out, CL_TRUE, 0, pixels * sizeof(int),
                              rounds, 0, NULL, NULL));

    size_t wrong = 0;
    for (size_t i = 0; i < pixels; i++)
        wrong += rounds[i] != rounds_at(&v, (int)(i % (size_t)v.width),
                                        (int)(i / (size_t)v.width));
    if (preview)
        print_preview(&v, rounds, preview);
    if (png)
        write_png(png, &v, rounds);
    free(rounds);
    return example_close(&ex, wrong, pixels, "pixels");
}
