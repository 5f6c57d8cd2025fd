// Interposed before the C library: lets the writes, fsyncs, renames and cuts of one folder fail.
// From the point armed on, "fail" answers ENOSPC (after half of a write, as a disk that fills up does);
// "kill" ends the process there, a write half done.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <sys/types.h>
#include <unistd.h>

static char folder[4096];
static long first = 0, seen = 0;  // the point from which on calls fail; 0: never
static bool kills = false;

extern "C" void fault_arm(const char* under, long at, int kill_there) {
  std::strncpy(folder, under, sizeof folder - 1);
  first = at, seen = 0, kills = kill_there;
}

extern "C" long fault_points() { return seen; }

static bool under_folder(const char* path) { return std::strstr(path, folder) == path; }

static bool hit(const char* path) {
  return first != 0 && under_folder(path) && ++seen >= first;
}

static bool hit(int descriptor) {
  char name[64], path[4096];
  std::snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(name, path, sizeof path - 1);
  if (length < 0) return false;
  path[length] = 0;
  return hit(path);
}

static int fail() {
  if (kills) kill(getpid(), SIGKILL);
  errno = ENOSPC;
  return -1;
}

template <class Function> static Function original(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

extern "C" ssize_t write(int descriptor, const void* data, size_t size) {
  static auto real = original<ssize_t (*)(int, const void*, size_t)>("write");
  if (!hit(descriptor)) return real(descriptor, data, size);
  if (seen == first && size > 1) {
    ssize_t done = real(descriptor, data, size / 2);
    if (kills) fail();
    return done;
  }
  return fail();
}

extern "C" int fsync(int descriptor) {
  static auto real = original<int (*)(int)>("fsync");
  return hit(descriptor) ? fail() : real(descriptor);
}

extern "C" int rename(const char* from, const char* to) {
  static auto real = original<int (*)(const char*, const char*)>("rename");
  return hit(to) ? fail() : real(from, to);
}

static int cut(const char* name, int descriptor, off_t length) {
  if (kills && hit(descriptor)) fail();  // a full disk still lets go of what it has
  return original<int (*)(int, off_t)>(name)(descriptor, length);
}

extern "C" int ftruncate(int descriptor, off_t length) { return cut("ftruncate", descriptor, length); }
extern "C" int ftruncate64(int descriptor, off_t length) { return cut("ftruncate64", descriptor, length); }
