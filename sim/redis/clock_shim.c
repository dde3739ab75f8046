/* Preloaded into a redis-server: its wall clock is a number in a shared page, the monotonic clock
 * stays real. Small on purpose: libfaketime recurses into jemalloc's start-up. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* Virtual microseconds since 1970; null until the page is mapped. */
static const int64_t* page;
static int (*next_clock_gettime)(clockid_t, struct timespec*);

__attribute__((constructor)) static void map_page(void) {
  const char* path = getenv("LEASELAB_CLOCK_PAGE");
  next_clock_gettime = (int (*)(clockid_t, struct timespec*))dlsym(RTLD_NEXT, "clock_gettime");
  if (path == NULL) return;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) _exit(112);
  void* mapped = mmap(NULL, sizeof *page, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (mapped == MAP_FAILED) _exit(112);
  page = mapped;
}

/* Split so that the rest is never negative, also before 1970. */
static void read_clock(int64_t* seconds, int64_t* microseconds) {
  const int64_t now = __atomic_load_n(page, __ATOMIC_ACQUIRE);
  *seconds = now / 1000000;
  *microseconds = now % 1000000;
  if (*microseconds < 0) {
    *microseconds += 1000000;
    *seconds -= 1;
  }
}

int clock_gettime(clockid_t clock, struct timespec* out) {
  if (page == NULL || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) {
    /* The libc's own answers without a system call, but is not found before our constructor. */
    if (next_clock_gettime != NULL) return next_clock_gettime(clock, out);
    return (int)syscall(SYS_clock_gettime, clock, out);
  }
  int64_t seconds, microseconds;
  read_clock(&seconds, &microseconds);
  out->tv_sec = (time_t)seconds;
  out->tv_nsec = (long)(microseconds * 1000);
  return 0;
}

int gettimeofday(struct timeval* restrict out, void* restrict zone) {
  (void)zone;
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  out->tv_sec = now.tv_sec;
  out->tv_usec = (suseconds_t)(now.tv_nsec / 1000);
  return 0;
}

time_t time(time_t* out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out != NULL) *out = now.tv_sec;
  return now.tv_sec;
}
