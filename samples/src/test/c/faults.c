/*
 * A library for LD_PRELOAD: lets calls of the C library fail, wait, or return another time, as the
 * file that CRABRO_FAULTS names says. The test maps the same file, and changes it while a server
 * runs. It has four numbers of 64 bits, in the machine's order:
 *
 *   0  if not 0, forcing a file of documents fails with EIO
 *   1  if not 0, writing to a file of documents fails with EIO
 *   2  milliseconds that forcing a file of documents takes longer
 *   3  seconds that are added to the wall clock
 *
 * Files of documents are those with "/content-data/" in their path.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { FORCE_FAILS, WRITE_FAILS, FORCE_MILLIS, CLOCK_SECONDS, COUNT };

static volatile int64_t none[COUNT];
static volatile int64_t *faults = none;

__attribute__((constructor)) static void map_faults(void) {
    const char *path = getenv("CRABRO_FAULTS");
    int file = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) {
        return;
    }
    void *mapped = mmap(NULL, sizeof(none), PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (mapped != MAP_FAILED) {
        faults = mapped;
    }
}

static int is_document(int file) {
    char name[64];
    char path[4096];
    snprintf(name, sizeof(name), "/proc/self/fd/%d", file);
    ssize_t length = readlink(name, path, sizeof(path) - 1);
    if (length < 0) {
        return 0;
    }
    path[length] = 0;
    return strstr(path, "/content-data/") != NULL;
}

#define NEXT(name) ((__typeof__(&name)) dlsym(RTLD_NEXT, #name))

/* Returns whether forcing fails, after it took its time. */
static int force_fails(int file) {
    if ((faults[FORCE_FAILS] == 0 && faults[FORCE_MILLIS] == 0) || !is_document(file)) {
        return 0;
    }
    if (faults[FORCE_MILLIS] != 0) {
        usleep((useconds_t) (faults[FORCE_MILLIS] * 1000));
    }
    return faults[FORCE_FAILS] != 0;
}

int fsync(int file) {
    if (force_fails(file)) {
        errno = EIO;
        return -1;
    }
    return NEXT(fsync)(file);
}

int fdatasync(int file) {
    if (force_fails(file)) {
        errno = EIO;
        return -1;
    }
    return NEXT(fdatasync)(file);
}

static int write_fails(int file) {
    return faults[WRITE_FAILS] != 0 && is_document(file);
}

ssize_t write(int file, const void *bytes, size_t count) {
    if (write_fails(file)) {
        errno = EIO;
        return -1;
    }
    return NEXT(write)(file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    if (write_fails(file)) {
        errno = EIO;
        return -1;
    }
    return NEXT(pwrite)(file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    if (write_fails(file)) {
        errno = EIO;
        return -1;
    }
    return NEXT(pwrite64)(file, bytes, count, offset);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    if (write_fails(file)) {
        errno = EIO;
        return -1;
    }
    return NEXT(writev)(file, parts, count);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    static __typeof__(&clock_gettime) next;
    if (next == NULL) {
        next = NEXT(clock_gettime);
    }
    int status = next(clock, now);
    if (status == 0 && clock == CLOCK_REALTIME) {
        now->tv_sec += faults[CLOCK_SECONDS];
    }
    return status;
}

int gettimeofday(struct timeval *now, void *zone) {
    struct timespec time;
    (void) zone;
    clock_gettime(CLOCK_REALTIME, &time);
    now->tv_sec = time.tv_sec;
    now->tv_usec = time.tv_nsec / 1000;
    return 0;
}
