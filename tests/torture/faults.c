/*
 * Makes the nth file operation below one folder fail, in the program it is preloaded into (LD_PRELOAD).
 *
 * CHOIR_FAULTS_FOLDER   the folder that is watched, absolute and without links; all else goes through untouched
 * CHOIR_FAULTS_CONTROL  a file of sizeof(struct control), mapped here: whoever writes to it arms and disarms,
 *                       whoever reads it learns how many operations there were, and which one was hit
 * CHOIR_FAULTS_TRACE    a file that gets a line for each change that went through: "make\tPATH", "move\tFROM\tTO",
 *                       "remove\tPATH", "write\tPATH", "sync\tPATH"; optional
 *
 * The layout of the control file is repeated in faults.ts, the lines in power-cut.ts.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum operation {
  WRITE = 1, SYNC = 2, TRUNCATE = 4, RENAME = 8, CREATE = 16, REMOVE = 32, LINK = 64, READ = 128, MODE = 256, OPEN = 512
};
enum fault { NONE, IO_ERROR, NO_SPACE, SHORT, KILL_BEFORE, KILL_HALFWAY, KILL_AFTER };

struct control {
  uint32_t armed;      /* 0: everything goes through, and nothing is counted */
  uint32_t at;         /* the operation that is hit, from 1 */
  uint32_t fault;
  uint32_t lasting;    /* 1: each one from `at` on; after a short write there is no space then */
  uint32_t operations; /* which kinds are counted, and hit */
  uint32_t count;
  uint32_t hits;
  uint32_t unused;
  char what[224];      /* the first one that was hit: "fdatasync log.sqlite-wal" */
};

static struct control *control;
static const char *folder;
static int trace = -1;

static void give_up(const char *what, const char *about) {
  fprintf(stderr, "faults.c: %s %s: %s\n", what, about, strerror(errno));
  _exit(70);
}

__attribute__((constructor)) static void set_up(void) {
  const char *path = getenv("CHOIR_FAULTS_CONTROL"), *lines = getenv("CHOIR_FAULTS_TRACE");
  folder = getenv("CHOIR_FAULTS_FOLDER");
  if (path == NULL || folder == NULL) return;
  int fd = open(path, O_RDWR | O_CLOEXEC);
  void *map = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (map == MAP_FAILED) give_up("can't map CHOIR_FAULTS_CONTROL", path);
  close(fd);
  control = map;
  if (lines == NULL) return;
  trace = open(lines, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (trace < 0) give_up("can't open CHOIR_FAULTS_TRACE", lines);
}

#define REAL(name) ((__typeof__(&name))real(#name))

static void *real(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (found == NULL) give_up("this libc has no", name);
  return found;
}

#define PATH_SIZE 8192

static const char *path_behind(const char *link, char *path) {
  int saved = errno;
  ssize_t length = readlink(link, path, PATH_SIZE / 2);
  errno = saved;
  path[length < 0 ? 0 : length] = '\0';
  return path;
}

static const char *path_of(int fd, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  return path_behind(link, path);
}

/* A path that begins with an opened directory ("/proc/self/fd/7/notes.md"), as it is without that. */
static const char *path_through(const char *name, char *path) {
  int fd = -1, length = 0;
  if (sscanf(name, "/proc/%*[^/]/fd/%d%n", &fd, &length) != 1 || length == 0) return name;
  path_of(fd, path);
  size_t before = strlen(path);
  snprintf(path + before, PATH_SIZE - before, "%s", name + length);
  return path;
}

static const char *path_at(int dir, const char *name, char *path) {
  if (name[0] == '/') return strncmp(name, "/proc/", 6) == 0 ? path_through(name, path) : name;
  if (dir == AT_FDCWD) path_behind("/proc/self/cwd", path);
  else path_of(dir, path);
  size_t length = strlen(path);
  snprintf(path + length, PATH_SIZE - length, "/%s", name);
  return path;
}

static int watched(const char *path) {
  size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static int armed(enum operation operation) {
  return control != NULL && control->armed && (control->operations & operation) != 0;
}

/* What happens to this operation. Counts it, where it is one that is looked at. */
static enum fault judge(enum operation operation, const char *name, const char *path) {
  if (!watched(path)) return NONE;
  uint32_t number = __atomic_add_fetch(&control->count, 1, __ATOMIC_SEQ_CST);
  if (control->lasting ? number < control->at : number != control->at) return NONE;
  if (__atomic_add_fetch(&control->hits, 1, __ATOMIC_SEQ_CST) == 1) {
    snprintf(control->what, sizeof control->what, "%s %.200s", name, path + strlen(folder));
  }
  if (control->fault == SHORT && (number > control->at || operation != WRITE)) return NO_SPACE;
  return control->fault;
}

static enum fault judge_fd(enum operation operation, const char *name, int fd) {
  char path[PATH_SIZE];
  return armed(operation) ? judge(operation, name, path_of(fd, path)) : NONE;
}

static enum fault judge_at(enum operation operation, const char *name, int dir, const char *path) {
  char whole[PATH_SIZE];
  return armed(operation) ? judge(operation, name, path_at(dir, path, whole)) : NONE;
}

static void note(const char *what, const char *path, const char *to) {
  if (!watched(path)) return;
  int saved = errno;
  char line[2 * PATH_SIZE];
  int length = snprintf(line, sizeof line, "%s\t%s%s%s\n", what, path, to == NULL ? "" : "\t", to == NULL ? "" : to);
  if (REAL(write)(trace, line, length) != length) give_up("can't write to the trace about", path);
  errno = saved;
}

static void note_fd(const char *what, int fd) {
  char path[PATH_SIZE];
  if (trace >= 0) note(what, path_of(fd, path), NULL);
}

static void note_at(const char *what, int dir, const char *path) {
  char whole[PATH_SIZE];
  if (trace >= 0) note(what, path_at(dir, path, whole), NULL);
}

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

/* Whether the operation fails outright; one that should die here never comes back. */
static int refused(enum fault fault) {
  if (fault == KILL_BEFORE || fault == KILL_HALFWAY) die();
  if (fault == IO_ERROR) errno = EIO;
  if (fault == NO_SPACE) errno = ENOSPC;
  return fault == IO_ERROR || fault == NO_SPACE;
}

static long done(enum fault fault, long result) {
  if (fault == KILL_AFTER) die();
  return result;
}

/* Half of it is really written; a single byte can't be halved. */
static size_t half(enum fault fault, size_t size) {
  return fault == SHORT || fault == KILL_HALFWAY ? (size + 1) / 2 : size;
}

#define WRITING(fd, call)                                                                                              \
  if (fault != KILL_HALFWAY && refused(fault)) return -1;                                                              \
  ssize_t result = (call);                                                                                             \
  if (fault == KILL_HALFWAY) die();                                                                                    \
  if (result > 0) note_fd("write", fd);                                                                                \
  return done(fault, result)

ssize_t write(int fd, const void *bytes, size_t size) {
  enum fault fault = judge_fd(WRITE, "write", fd);
  WRITING(fd, REAL(write)(fd, bytes, half(fault, size)));
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) {
  enum fault fault = judge_fd(WRITE, "pwrite", fd);
  WRITING(fd, REAL(pwrite)(fd, bytes, half(fault, size), at));
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
  enum fault fault = judge_fd(WRITE, "pwrite64", fd);
  WRITING(fd, REAL(pwrite64)(fd, bytes, half(fault, size), at));
}

/* Of several pieces, the first half of the first one: what is left is the caller's to write again. */
static const struct iovec *pieces(enum fault fault, const struct iovec *all, int *count, struct iovec *one) {
  if ((fault != SHORT && fault != KILL_HALFWAY) || *count == 0) return all;
  *one = all[0];
  one->iov_len = half(fault, one->iov_len);
  *count = 1;
  return one;
}

ssize_t writev(int fd, const struct iovec *all, int count) {
  enum fault fault = judge_fd(WRITE, "writev", fd);
  struct iovec one;
  const struct iovec *some = pieces(fault, all, &count, &one);
  WRITING(fd, REAL(writev)(fd, some, count));
}

ssize_t pwritev(int fd, const struct iovec *all, int count, off_t at) {
  enum fault fault = judge_fd(WRITE, "pwritev", fd);
  struct iovec one;
  const struct iovec *some = pieces(fault, all, &count, &one);
  WRITING(fd, REAL(pwritev)(fd, some, count, at));
}

ssize_t pwritev64(int fd, const struct iovec *all, int count, off64_t at) {
  enum fault fault = judge_fd(WRITE, "pwritev64", fd);
  struct iovec one;
  const struct iovec *some = pieces(fault, all, &count, &one);
  WRITING(fd, REAL(pwritev64)(fd, some, count, at));
}

ssize_t pwritev2(int fd, const struct iovec *all, int count, off_t at, int flags) {
  enum fault fault = judge_fd(WRITE, "pwritev2", fd);
  struct iovec one;
  const struct iovec *some = pieces(fault, all, &count, &one);
  WRITING(fd, REAL(pwritev2)(fd, some, count, at, flags));
}

ssize_t read(int fd, void *bytes, size_t size) {
  enum fault fault = judge_fd(READ, "read", fd);
  return refused(fault) ? -1 : done(fault, REAL(read)(fd, bytes, size));
}

ssize_t pread(int fd, void *bytes, size_t size, off_t at) {
  enum fault fault = judge_fd(READ, "pread", fd);
  return refused(fault) ? -1 : done(fault, REAL(pread)(fd, bytes, size, at));
}

ssize_t pread64(int fd, void *bytes, size_t size, off64_t at) {
  enum fault fault = judge_fd(READ, "pread64", fd);
  return refused(fault) ? -1 : done(fault, REAL(pread64)(fd, bytes, size, at));
}

int fsync(int fd) {
  enum fault fault = judge_fd(SYNC, "fsync", fd);
  if (refused(fault)) return -1;
  int result = REAL(fsync)(fd);
  if (result == 0) note_fd("sync", fd);
  return done(fault, result);
}

int fdatasync(int fd) {
  enum fault fault = judge_fd(SYNC, "fdatasync", fd);
  if (refused(fault)) return -1;
  int result = REAL(fdatasync)(fd);
  if (result == 0) note_fd("sync", fd);
  return done(fault, result);
}

int syncfs(int fd) {
  enum fault fault = judge_fd(SYNC, "syncfs", fd);
  return refused(fault) ? -1 : done(fault, REAL(syncfs)(fd));
}

int chmod(const char *path, mode_t mode) {
  enum fault fault = judge_at(MODE, "chmod", AT_FDCWD, path);
  return refused(fault) ? -1 : done(fault, REAL(chmod)(path, mode));
}

int fchmod(int fd, mode_t mode) {
  enum fault fault = judge_fd(MODE, "fchmod", fd);
  return refused(fault) ? -1 : done(fault, REAL(fchmod)(fd, mode));
}

int ftruncate(int fd, off_t size) {
  enum fault fault = judge_fd(TRUNCATE, "ftruncate", fd);
  return refused(fault) ? -1 : done(fault, REAL(ftruncate)(fd, size));
}

int ftruncate64(int fd, off64_t size) {
  enum fault fault = judge_fd(TRUNCATE, "ftruncate64", fd);
  return refused(fault) ? -1 : done(fault, REAL(ftruncate64)(fd, size));
}

int posix_fallocate(int fd, off_t from, off_t size) {
  enum fault fault = judge_fd(TRUNCATE, "posix_fallocate", fd);
  return refused(fault) ? errno : done(fault, REAL(posix_fallocate)(fd, from, size));
}

#define MOVING(name, from_dir, from, to_dir, to, call)                                                                 \
  char whole[PATH_SIZE], target[PATH_SIZE];                                                                            \
  enum fault fault = judge_at(RENAME, name, to_dir, to);                                                               \
  if (refused(fault)) return -1;                                                                                       \
  int result = (call);                                                                                                 \
  if (result == 0 && trace >= 0) note("move", path_at(from_dir, from, whole), path_at(to_dir, to, target));            \
  return done(fault, result)

int rename(const char *from, const char *to) {
  MOVING("rename", AT_FDCWD, from, AT_FDCWD, to, REAL(rename)(from, to));
}

int renameat(int from_dir, const char *from, int to_dir, const char *to) {
  MOVING("renameat", from_dir, from, to_dir, to, REAL(renameat)(from_dir, from, to_dir, to));
}

int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags) {
  MOVING("renameat2", from_dir, from, to_dir, to, REAL(renameat2)(from_dir, from, to_dir, to, flags));
}

/* Opening what is there changes nothing: only making a file counts. */
static int makes(int dir, const char *path, int flags) {
  if ((flags & O_CREAT) == 0 || control == NULL) return 0;
  int saved = errno;
  int there = faccessat(dir, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
  errno = saved;
  return !there;
}

#define OPENING(name, dir, path, flags, call)                                                                          \
  mode_t mode = 0;                                                                                                     \
  if (((flags) & O_CREAT) != 0) {                                                                                      \
    va_list rest;                                                                                                      \
    va_start(rest, flags);                                                                                             \
    mode = va_arg(rest, mode_t);                                                                                       \
    va_end(rest);                                                                                                      \
  }                                                                                                                    \
  int made = makes(dir, path, flags);                                                                                  \
  enum fault fault = judge_at(made ? CREATE : OPEN, name, dir, path);                                                  \
  if (refused(fault)) return -1;                                                                                       \
  int result = (call);                                                                                                 \
  if (made && result >= 0) note_at("make", dir, path);                                                                 \
  return done(fault, result)

int open(const char *path, int flags, ...) {
  OPENING("open", AT_FDCWD, path, flags, REAL(open)(path, flags, mode));
}

int open64(const char *path, int flags, ...) {
  OPENING("open64", AT_FDCWD, path, flags, REAL(open64)(path, flags, mode));
}

int openat(int dir, const char *path, int flags, ...) {
  OPENING("openat", dir, path, flags, REAL(openat)(dir, path, flags, mode));
}

int openat64(int dir, const char *path, int flags, ...) {
  OPENING("openat64", dir, path, flags, REAL(openat64)(dir, path, flags, mode));
}

/* What makes or removes one name. */
#define NAMING(operation, name, word, dir, path, call)                                                                 \
  enum fault fault = judge_at(operation, name, dir, path);                                                             \
  if (refused(fault)) return -1;                                                                                       \
  int result = (call);                                                                                                 \
  if (result == 0) note_at(word, dir, path);                                                                           \
  return done(fault, result)

int mkdir(const char *path, mode_t mode) {
  NAMING(CREATE, "mkdir", "make", AT_FDCWD, path, REAL(mkdir)(path, mode));
}

int mkdirat(int dir, const char *path, mode_t mode) {
  NAMING(CREATE, "mkdirat", "make", dir, path, REAL(mkdirat)(dir, path, mode));
}

int link(const char *from, const char *to) {
  NAMING(LINK, "link", "make", AT_FDCWD, to, REAL(link)(from, to));
}

int linkat(int from_dir, const char *from, int dir, const char *to, int flags) {
  NAMING(LINK, "linkat", "make", dir, to, REAL(linkat)(from_dir, from, dir, to, flags));
}

int symlink(const char *target, const char *path) {
  NAMING(LINK, "symlink", "make", AT_FDCWD, path, REAL(symlink)(target, path));
}

int unlink(const char *path) {
  NAMING(REMOVE, "unlink", "remove", AT_FDCWD, path, REAL(unlink)(path));
}

int unlinkat(int dir, const char *path, int flags) {
  NAMING(REMOVE, "unlinkat", "remove", dir, path, REAL(unlinkat)(dir, path, flags));
}

int rmdir(const char *path) {
  NAMING(REMOVE, "rmdir", "remove", AT_FDCWD, path, REAL(rmdir)(path));
}

int remove(const char *path) {
  NAMING(REMOVE, "remove", "remove", AT_FDCWD, path, REAL(remove)(path));
}
