// The attacker: for ever swaps what stands at `victim` for a symlink to `target`, or moves it out of the root
// and back,
// with pauses of every length between none and some milliseconds. Ends at SIGTERM, with things put right.
//   attacker exchange|rename|away VICTIM TARGET ASIDE COUNTER [LEAF]
// exchange: one atomic exchange of VICTIM and ASIDE, where a symlink to TARGET stands.
// rename:   VICTIM to ASIDE, symlink, unlink, ASIDE to VICTIM.
// away:     VICTIM to ASIDE, which is outside of the root, and back. Looks at LEAF below it as it arrives there
//           and as it leaves: another inode or time means that somebody wrote to it out there.
// COUNTER holds "swaps written touched": the last two are what `away` saw of the leaf and of its folder.
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t is_over = 0;
static void end(int signal) {
  (void)signal;
  is_over = 1;
}

static int exchange(const char *a, const char *b) {
  return (int)syscall(SYS_renameat2, AT_FDCWD, a, AT_FDCWD, b, 2);
}

static int is_link(const char *path) {
  struct stat st;
  return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

static unsigned state = 1;
static long swaps = 0;
// Mostly too short to measure, sometimes as long as a whole write takes. For a while each way is taken equally
// long; then things are mostly in place, so that writes come far enough to be caught in the middle.
static void pause_a_while(int is_in_place) {
  state = state * 1103515245u + 12345u;
  int is_biased = swaps / 256 % 2 == 1;
  long ns = 1L << ((state >> 16) % (is_biased ? (is_in_place ? 23 : 17) : 20));
  struct timespec start, now;
  clock_gettime(CLOCK_MONOTONIC, &start);
  do clock_gettime(CLOCK_MONOTONIC, &now);
  while ((now.tv_sec - start.tv_sec) * 1000000000L + now.tv_nsec - start.tv_nsec < ns);
}

typedef struct {
  ino_t leaf;
  struct timespec leaf_at, folder_at;
} Seen;

static Seen look(const char *aside, const char *leaf) {
  char path[4096];
  struct stat st;
  Seen seen;
  memset(&seen, 0, sizeof seen);
  snprintf(path, sizeof path, "%s/%s", aside, leaf);
  if (lstat(path, &st) == 0) {
    seen.leaf = st.st_ino;
    seen.leaf_at = st.st_mtim;
  }
  char *slash = strrchr(path, '/');
  if (slash != NULL) *slash = 0;
  if (lstat(path, &st) == 0) seen.folder_at = st.st_mtim;
  return seen;
}

static int is_same_time(struct timespec a, struct timespec b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

int main(int argc, char **argv) {
  if (argc < 6) return 2;
  const char *manner = argv[1], *victim = argv[2], *target = argv[3], *aside = argv[4];
  const char *leaf = argc > 6 ? argv[6] : "";
  int counter = open(argv[5], O_WRONLY | O_CREAT, 0600);
  long written = 0, touched = 0;
  signal(SIGTERM, end);
  if (strcmp(manner, "exchange") == 0 && symlink(target, aside) != 0) return 3;
  if (write(1, "ready", 5) != 5) return 4;
  while (!is_over) {
    if (strcmp(manner, "exchange") == 0) {
      // The server may have renamed a file over the link: then there is none left to exchange.
      if (!is_link(victim) && !is_link(aside)) {
        unlink(aside);
        symlink(target, aside);
      }
      if (exchange(victim, aside) == 0) swaps++;
      pause_a_while(!is_link(victim));
    } else if (strcmp(manner, "rename") == 0) {
      if (rename(victim, aside) == 0) swaps++;
      symlink(target, victim);
      pause_a_while(0);
      unlink(victim);
      rename(aside, victim);
      pause_a_while(1);
    } else {
      if (rename(victim, aside) == 0) {
        swaps++;
        Seen arriving = look(aside, leaf);
        pause_a_while(0);
        Seen leaving = look(aside, leaf);
        rename(aside, victim);
        if (arriving.leaf != leaving.leaf || !is_same_time(arriving.leaf_at, leaving.leaf_at)) written++;
        else if (!is_same_time(arriving.folder_at, leaving.folder_at)) touched++;
      }
      pause_a_while(1);
    }
    if (swaps % 64 == 0) dprintf(counter, "\n%ld %ld %ld", swaps, written, touched);
  }
  if (strcmp(manner, "exchange") == 0 && is_link(victim)) exchange(victim, aside);
  dprintf(counter, "\n%ld %ld %ld", swaps, written, touched);
  return 0;
}
