/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/platform/device.h"
#include "base/arith.h"
#include "base/clock.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sha256.h"
#include "cl/checks/checks.h"
#include "cl/checks/debugger.h"
#include "cl/checks/interrupt.h"
#include "cl/checks/recorder.h"
#include "dev/output/report.h"
#include "dev/spec.h"

enum { MAX_DEVICES = 16, MAX_SETTINGS = 32, MAX_GROUP = 1024, MAX_WHY = 1024 };

/* The driver keeps a scalar stack for each warp in local memory. */
enum { STACK_B = 1024 };

static struct {
    pthread_once_t once;
    cl_device_id list[MAX_DEVICES];
    cl_uint n;
} devices = { .once = PTHREAD_ONCE_INIT };

/* Measures a machine that counts cycles.  It has a clock and caches: stores go through
 * the L1Ds, and an L2 may never hit. */
static void
measure_model(cl_device_id d)
{
    bool l2 = ventus_dev_setting(d->dev, "l2_hits");
    const char *const names[2][3] = {
        { "dcache_line", "dcache_sets", "dcache_ways" },
        { "l2_line", "l2_sets", "l2_ways" },
    };
    d->timer_ns = 1;
    d->cache = CL_NONE;
    if (!ventus_dev_can(d->dev, VENTUS_DEV_CYCLES))
        return;
    d->timer_ns = (cl_uint)(999 / ventus_dev_setting(d->dev, "clock_mhz") + 1);
    d->cache = l2 ? CL_READ_WRITE_CACHE : CL_READ_ONLY_CACHE;
    d->cache_line_B = (cl_uint)ventus_dev_setting(d->dev, names[l2][0]);
    d->cache_B = d->cache_line_B * ventus_dev_setting(d->dev, names[l2][1]) *
                 ventus_dev_setting(d->dev, names[l2][2]);
}

/* The memory of the host; 0: unknown. */
static cl_ulong
host_memory_B(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (cl_ulong)pages * (cl_ulong)page : 0;
}

/* The size of global memory: the device's, or half of the host's if that is less,
 * because an application may fill it. */
static cl_ulong
global_size(cl_device_id d)
{
    cl_ulong size = ventus_dev_setting(d->dev, "memory_size");
    cl_ulong half = host_memory_B() / 2;
    return d->address_bits == 32 || !half || size < half ? size : half;
}

/* Capabilities of shared memory.  Pointers of host and device have 64 bits.
 * Fine-grained sharing needs a machine without caches and without rollbacks. */
static cl_device_svm_capabilities
svm_capabilities(cl_device_id d)
{
    if (d->address_bits == 32)
        return 0;
    if (ventus_dev_can(d->dev, VENTUS_DEV_CYCLES))
        return CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
    return CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
           CL_DEVICE_SVM_ATOMICS |
           (ventus_dev_setting(d->dev, "host_memory")
                ? CL_DEVICE_SVM_FINE_GRAIN_SYSTEM
                : 0);
}

static void
measure_device(cl_device_id d)
{
    d->address_bits = ventus_dev_setting(d->dev, "isa") == 2 ? 64 : 32;
    d->svm = svm_capabilities(d);

    measure_model(d);
    d->lanes = (cl_uint)ventus_dev_setting(d->dev, "num_thread");
    d->warps = (cl_uint)ventus_dev_setting(d->dev, "num_warp");
    d->sms = (cl_uint)ventus_dev_setting(d->dev, "num_sm");
    d->max_group = (size_t)d->lanes * d->warps;
    if (d->max_group > MAX_GROUP)
        d->max_group = MAX_GROUP;
    cl_ulong stacks =
        (d->max_group + d->lanes - 1) / d->lanes * (cl_ulong)STACK_B;
    d->local_B = ventus_dev_setting(d->dev, "local_size");
    d->local_B -= stacks < d->local_B ? stacks : d->local_B;
    d->global_B = global_size(d);
    d->max_alloc_B = d->global_B / 4 * 3;
    if (d->address_bits == 32 && d->max_alloc_B > 1 << 30)
        d->max_alloc_B = 1 << 30;
}

/* Whether the host has the memory of a device whose size was set explicitly; that of a
 * preset is only an upper bound. */
static bool
host_has_memory(const struct ventus_dev *d, const struct ventus_dev_options *o,
                char why[MAX_WHY])
{
    cl_ulong host = host_memory_B();
    cl_ulong size = ventus_dev_setting(d, "memory_size");
    bool wants = false;
    for (size_t i = 0; i < o->n_set; i++)
        wants |= strncmp(o->set[i], "memory_size=", 12) == 0;
    if (!wants || !host || size <= host)
        return true;
    snprintf(why, MAX_WHY,
             "memory_size: expected %" PRIu64 " at most, the memory of the "
             "host, found %" PRIu64,
             (uint64_t)host, (uint64_t)size);
    return false;
}

/* Opens "NAME:key=value:...", which is cut up.  NULL: `why` has a message. */
static struct ventus_dev *
open_dev(char *text, char why[MAX_WHY])
{
    /* The compiler wrote the setrpcs: there is no author to warn. */
    const char *settings[MAX_SETTINGS + 2] = { "join_check=no" };
    char limit[48];
    struct ventus_dev_options options = { .config = text,
                                          .set = settings,
                                          .n_set = 1 };
    for (char *colon; (colon = strchr(text, ':'));) {
        *colon = 0;
        text = colon + 1;
        if (options.n_set <= MAX_SETTINGS)
            settings[options.n_set++] = text;
    }
    uint64_t ms;
    if (cl_env_has_number("VENTUS_TIME_LIMIT_MS", &ms, UINT64_MAX)) {
        snprintf(limit, sizeof limit, "max_ms=%" PRIu64, ms);
        settings[options.n_set++] = limit;
    }
    assert(options.n_set <= ARRAY_SIZE(settings));
    struct ventus_dev *d = ventus_dev_open(&options);
    if (!d)
        snprintf(why, MAX_WHY, "%s", ventus_dev_message());
    if (!d || host_has_memory(d, &options, why))
        return d;
    ventus_dev_close(d);
    return NULL;
}

/* The record written at exit: of the first device that counts cycles, by the process
 * that opened it. */
static struct {
    struct ventus_dev *dev;
    pid_t pid;
} recorded;

static void
end_record(void)
{
    if (getpid() != recorded.pid || ventus_dev_record_end(recorded.dev))
        return;
    cl_complain("%s", ventus_dev_message());
    cl_lose_output();
}

/* Reads the environment variables of the record; false: one is invalid, which is
 * reported. */
static bool
wanted_record(struct ventus_dev_record *what)
{
    const char *cycles = cl_env("VENTUS_TRACE_CYCLES");
    uint64_t sm = 0;
    bool one_sm = cl_env_has_number("VENTUS_TRACE_SM", &sm, UINT32_MAX);
    *what =
        (struct ventus_dev_record){ .report = cl_env("VENTUS_REPORT"),
                                    .trace = cl_env("VENTUS_TRACE"),
                                    .konata = cl_env("VENTUS_KONATA"),
                                    .events = cl_env("VENTUS_EVENTS"),
                                    .hot = cl_env("VENTUS_HOT") ? stderr : NULL,
                                    .kernel = cl_env("VENTUS_TRACE_KERNEL"),
                                    .one_sm = one_sm,
                                    .sm = (unsigned)sm };
    if (!cycles || spec_cycles(cycles, &what->from_cycle, &what->to_cycle)) {
        spec_bound_trace(what);
        return true;
    }
    cl_complain("VENTUS_TRACE_CYCLES: expected FROM:TO, found '%s'", cycles);
    return false;
}

static void
record_device(struct ventus_dev *d)
{
    interrupt_open();
    struct ventus_dev_record what;
    bool ok = wanted_record(&what);
    if (ok && ((!what.report && !what.trace && !what.konata && !what.events &&
                !what.hot) ||
               recorded.dev || !ventus_dev_can(d, VENTUS_DEV_PROFILES)))
        return;
    if (ok && !ventus_dev_record(d, &what)) {
        cl_complain("%s", ventus_dev_message());
        ok = false;
    }
    if (!ok) {
        cl_lose_output();
        return;
    }
    recorded.dev = d;
    recorded.pid = getpid();
    atexit(end_record);
}

static char *
make_name(const char *text)
{
    size_t size = strlen("Ventus ") + strlen(text) + 1;
    char *name = malloc(size);
    if (name)
        snprintf(name, size, "Ventus %s", text);
    return name;
}

void
device_make_uuid(const char *text, cl_uint number,
                 cl_uchar uuid[CL_UUID_SIZE_KHR])
{
    const cl_uchar word[4] = { (cl_uchar)number, (cl_uchar)(number >> 8),
                               (cl_uchar)(number >> 16),
                               (cl_uchar)(number >> 24) };
    uint8_t digest[SHA256_SIZE];
    struct sha256 s = sha256_begin();
    sha256_add_sized(&s, text, strlen(text));
    sha256_add(&s, word, sizeof word);
    sha256_end(&s, digest);
    memcpy(uuid, digest, CL_UUID_SIZE_KHR);
    uuid[6] = (cl_uchar)(uuid[6] & 0x0f) | 0x80;
    uuid[8] = (cl_uchar)(uuid[8] & 0x3f) | 0x80;
}

/* A device is what VENTUS_DEVICES says of it: the UUID is the same in every process.
 * Equal devices of a process are counted. */
static void
identify_device(cl_device_id d)
{
    cl_uint equal = 0;
    for (cl_uint i = 0; i < devices.n; i++)
        equal += strcmp(devices.list[i]->name, d->name) == 0;
    device_make_uuid(d->name, equal, d->uuid);
}

static void
open_device(char *text)
{
    cl_device_id d = object_new(OBJECT_DEVICE, sizeof *d, NULL);
    if (!d)
        return;
    char why[MAX_WHY] = "";
    d->name = make_name(text);
    d->dev = open_dev(text, why);
    if (d->dev && d->name) {
        checks_open(d->dev);
        debugger_open(d->dev);
        recorder_open_device(d->dev);
        measure_device(d);
        identify_device(d);
        record_device(d->dev);
        assert(devices.n < MAX_DEVICES);
        d->index = devices.n;
        devices.list[devices.n++] = d;
        return;
    }
    cl_complain("device '%s': %s", text, d->name ? why : "out of host memory");
    free(d->name);
    object_unref(d);
}

/* At exit: what ran as code of the host, on each device of the process that opened it. */
static pid_t told_by;

static void
tell_shares(void)
{
    for (cl_uint i = 0; getpid() == told_by && i < devices.n; i++) {
        const struct _cl_device_id *d = devices.list[i];
        struct ventus_dev_share share = ventus_dev_native_share(d->dev);
        report_share(stderr, d->name, &share);
    }
}

static void
open_devices(void)
{
    const char *names = cl_env("VENTUS_DEVICES");
    char *list = strdup(names ? names : "default"), *rest = NULL;
    if (!list)
        return;
    for (char *name = strtok_r(list, ",", &rest);
         name && devices.n < MAX_DEVICES; name = strtok_r(NULL, ",", &rest))
        open_device(name);
    free(list);
    if (cl_env("VENTUS_ENGINE_SHARE")) {
        told_by = getpid();
        atexit(tell_shares);
    }
}

cl_device_id *
platform_devices(cl_uint *count)
{
    pthread_once(&devices.once, open_devices);
    *count = devices.n;
    return devices.list;
}

void
device_reset(void)
{
    devices.once = (pthread_once_t)PTHREAD_ONCE_INIT;
    devices.n = 0;
}

bool
devices_are(cl_uint n, const cl_device_id *list)
{
    for (cl_uint i = 0; i < n; i++)
        if (!device_is(list[i]))
            return false;
    return true;
}

CL_API_ENTRY cl_int CL_API_CALL
clGetDeviceIDs(cl_platform_id platform, cl_device_type type,
               cl_uint num_entries, cl_device_id *ids, cl_uint *num_devices)
{
    const cl_device_type known =
        CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
        CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
    CL_REQUIRE(!platform || object_is(platform, OBJECT_PLATFORM),
               CL_INVALID_PLATFORM);
    CL_EXPECT(type == CL_DEVICE_TYPE_ALL || (type && !(type & ~known)),
              CL_INVALID_DEVICE_TYPE,
              "device_type is 0x%" PRIx64
              "; it must be CL_DEVICE_TYPE_ALL or bits of the types that exist",
              (uint64_t)type);
    CL_EXPECT(num_entries || !ids, CL_INVALID_VALUE,
              "num_entries is 0; with devices it must be at least 1");
    CL_EXPECT(ids || num_devices, CL_INVALID_VALUE,
              "devices and num_devices are NULL; one must be given");
    cl_uint n;
    cl_device_id *list = platform_devices(&n);
    if (type != CL_DEVICE_TYPE_ALL &&
        !(type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_DEFAULT)))
        n = 0;
    else if (type == CL_DEVICE_TYPE_DEFAULT && n)
        n = 1;
    if (num_devices)
        *num_devices = n;
    CL_EXPECT(n, CL_DEVICE_NOT_FOUND,
              "no device has this type; those of this platform are "
              "CL_DEVICE_TYPE_GPU");
    for (cl_uint i = 0; ids && i < n && i < num_entries; i++)
        ids[i] = list[i];
    return CL_SUCCESS;
}

/* Root devices are not reference-counted. */
CL_API_ENTRY cl_int CL_API_CALL
clRetainDevice(cl_device_id device)
{
    CL_REQUIRE(device_is(device), CL_INVALID_DEVICE);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL
clReleaseDevice(cl_device_id device)
{
    CL_REQUIRE(device_is(device), CL_INVALID_DEVICE);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL
clCreateSubDevices(cl_device_id in_device,
                   const cl_device_partition_property *properties,
                   cl_uint num_devices, cl_device_id *out_devices,
                   cl_uint *num_devices_ret)
{
    (void)properties, (void)num_devices, (void)out_devices;
    (void)num_devices_ret;
    CL_REQUIRE(device_is(in_device), CL_INVALID_DEVICE);
    /* CL_DEVICE_PARTITION_PROPERTIES is empty. */
    return cl_refuse(CL_INVALID_VALUE, "devices cannot be partitioned");
}

/* Both times are the host's: the device has no clock of its own. */
CL_API_ENTRY cl_int CL_API_CALL
clGetDeviceAndHostTimer(cl_device_id device, cl_ulong *device_timestamp,
                        cl_ulong *host_timestamp)
{
    CL_REQUIRE(device_is(device), CL_INVALID_DEVICE);
    CL_EXPECT(device_timestamp && host_timestamp, CL_INVALID_VALUE,
              "%s is NULL",
              device_timestamp ? "host_timestamp" : "device_timestamp");
    *device_timestamp = *host_timestamp = clock_now_ns();
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL
clGetHostTimer(cl_device_id device, cl_ulong *host_timestamp)
{
    CL_REQUIRE(device_is(device), CL_INVALID_DEVICE);
    CL_EXPECT(host_timestamp, CL_INVALID_VALUE, "host_timestamp is NULL");
    *host_timestamp = clock_now_ns();
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL
clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id device,
                               cl_command_queue queue)
{
    (void)queue;
    CL_REQUIRE(object_is(context, OBJECT_CONTEXT), CL_INVALID_CONTEXT);
    CL_REQUIRE(device_is(device), CL_INVALID_DEVICE);
    return cl_refuse(CL_INVALID_OPERATION,
                     "the device has no queues on the device");
}
