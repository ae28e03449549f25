/* Runs a program under Landlock, with the options of util-linux 2.40's setpriv that docs/hardening.md uses.
   For machines whose setpriv is older. Refuses whatever it does not understand. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CREATE = 444, ADD_RULE = 445, RESTRICT_SELF = 446, PATH_BENEATH = 1, GET_VERSION = 1 };

static const char *const RIGHTS[] = {"execute", "write-file", "read-file", "read-dir", "remove-dir", "remove-file",
  "make-char", "make-dir", "make-reg", "make-sock", "make-fifo", "make-block", "make-sym", "refer", "truncate"};
enum { KNOWN = sizeof RIGHTS / sizeof *RIGHTS };

struct __attribute__((packed)) beneath {
  uint64_t allowed;
  int32_t folder;
};

static void stop(const char *why) {
  fprintf(stderr, "landlock-run: %s\n", why);
  exit(127);
}

/* What the kernel knows of the rights above: 13 at first, then "refer", then "truncate". */
static uint64_t handled(void) {
  long version = syscall(CREATE, NULL, 0, GET_VERSION);
  if (version < 1) stop("the kernel has no Landlock");
  return (1ULL << (version >= 3 ? KNOWN : version == 2 ? KNOWN - 1 : KNOWN - 2)) - 1;
}

static uint64_t rights_in(char *list) {
  uint64_t rights = 0;
  for (char *word = strtok(list, ","); word != NULL; word = strtok(NULL, ",")) {
    int index = 0;
    while (index < KNOWN && strcmp(word, RIGHTS[index]) != 0) index++;
    if (index == KNOWN) stop("unknown right");
    rights |= 1ULL << index;
  }
  return rights;
}

static void add(int rules, const char *rule) {
  static const char prefix[] = "path-beneath:";
  if (strncmp(rule, prefix, sizeof prefix - 1) != 0) stop("unknown rule");
  char *list = strdup(rule + sizeof prefix - 1);
  char *path = list == NULL ? NULL : strchr(list, ':');
  if (path == NULL) stop("a rule without a path");
  *path++ = '\0';
  int folder = open(path, O_PATH | O_CLOEXEC);
  if (folder < 0) stop("a path that is not there");
  struct beneath beneath = {rights_in(list), folder};
  if (syscall(ADD_RULE, rules, PATH_BENEATH, &beneath, 0) != 0) stop("a rule was not taken");
  close(folder);
}

int main(int argc, char **argv) {
  int at = 1, rules = -1;
  for (; at < argc && strncmp(argv[at], "--", 2) == 0; at++) {
    if (strcmp(argv[at], "--no-new-privs") == 0) continue;
    if (at + 1 >= argc) stop("an option without a value");
    if (strcmp(argv[at], "--landlock-access") == 0 && strcmp(argv[at + 1], "fs") == 0) {
      uint64_t rights = handled();
      rules = (int)syscall(CREATE, &rights, sizeof rights, 0);
      at++;
    } else if (strcmp(argv[at], "--landlock-rule") == 0 && rules >= 0) {
      add(rules, argv[++at]);
    } else {
      stop("unknown option");
    }
  }
  if (rules < 0 || at >= argc) stop("nothing to restrict");
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || syscall(RESTRICT_SELF, rules, 0) != 0) stop("was not restricted");
  execvp(argv[at], argv + at);
  stop("the program does not start");
}
