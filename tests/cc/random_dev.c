/* SPDX-License-Identifier: Apache-2.0 */
/*
 * random_dev LANES FILE.elf JOB OUT [KEY=VALUE...]: random kernels on the functional machine
 * with LANES lanes.  Why a kernel did not run goes to standard error.  check=LIST
 * looks for mistakes, which are findings on standard error and exit status 3.
 */
#include <string.h>

#include "random_job.h"
#include <ventus/dev.h>
#include <ventus/dev_check.h>

struct buffers {
    uint64_t a, o, g;
};

static bool
run(struct ventus_dev *d, struct ventus_dev_program *p, int number,
    const struct job *job, const struct buffers *b, char *out)
{
    char name[16];
    snprintf(name, sizeof name, "k%d", number);
    const uint32_t zero = 0;
    size_t size = job_output_B(job), cells = 4 * JOB_CELLS;
    struct ventus_dev_arg args[] = {
        ventus_dev_buffer(b->a),      ventus_dev_bytes(&job->n, 4),
        ventus_dev_bytes(&job->m, 4), ventus_dev_buffer(b->o),
        ventus_dev_buffer(b->g),      ventus_dev_bytes(&job->c, 1),
        ventus_dev_bytes(&job->w, 8), ventus_dev_bytes(job->f, 16)
    };
    struct ventus_dev_launch launch = { .kernel = ventus_dev_find(p, name),
                                        .work_dim = 2,
                                        .args = args,
                                        .n_args = sizeof args / sizeof *args };
    for (int i = 0; i < 2; i++) {
        launch.global[i] = job->global[i];
        launch.local[i] = job->local[i];
    }
    static struct ventus_dev_result r;
    bool ok = launch.kernel && ventus_dev_fill(d, b->o, &zero, 4, size) &&
              ventus_dev_fill(d, b->g, &zero, 4, cells);
    if (ok && !ventus_dev_run(d, &launch, &r)) {
        fprintf(stderr, "%s: %s\n", name, r.message);
        return false;
    }
    ok = ok && ventus_dev_read(d, b->o, out, size) &&
         ventus_dev_read(d, b->g, out + size, cells);
    if (!ok)
        fprintf(stderr, "%s: %s\n", name, ventus_dev_message());
    return ok;
}

int
main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    size_t elf_size, n;
    char *elf = job_file(argv[2], &elf_size);
    struct job *job = (struct job *)(void *)job_file(argv[3], &n);
    char lanes[32];
    snprintf(lanes, sizeof lanes, "num_thread=%s", argv[1]);
    const char *set[8] = { lanes, "max_instructions=100000000" };
    size_t n_set = 2;
    struct ventus_dev_check check = { .text = stderr };
    for (int i = 5; i < argc && n_set < 8; i++)
        if (strncmp(argv[i], "check=", 6) == 0)
            check.kinds = argv[i] + 6;
        else
            set[n_set++] = argv[i];
    struct ventus_dev *d = ventus_dev_open(&(struct ventus_dev_options){
        .set = set, .n_set = n_set, .host_threads = 1 });
    bool ready = d && (!check.kinds || ventus_dev_check(d, &check));
    struct ventus_dev_program *p =
        ready ? ventus_dev_load(d, elf, elf_size, argv[2]) : NULL;
    if (!p) {
        fprintf(stderr, "%s\n", ventus_dev_message());
        return 1;
    }
    size_t size = job_output_B(job) + 4 * JOB_CELLS;
    struct buffers b = { ventus_dev_alloc(d, sizeof job->a, 0),
                         ventus_dev_alloc(d, job_output_B(job), 0),
                         ventus_dev_alloc(d, 4 * JOB_CELLS, 0) };
    ventus_dev_write(d, b.a, job->a, sizeof job->a);
    char *out = calloc(size, 1);
    FILE *to = fopen(argv[4], "wb");
    for (int k = 0; to && k < job->kernels; k++) {
        int32_t ran = run(d, p, k, job, &b, out);
        fwrite(&ran, 4, 1, to);
        fwrite(out, size, 1, to);
    }
    uint64_t found = check.kinds ? ventus_dev_check_found(d, NULL) : 0;
    ventus_dev_close(d);
    free(elf);
    free(job);
    free(out);
    return !to || fclose(to) ? 1 : found ? 3 : 0;
}
