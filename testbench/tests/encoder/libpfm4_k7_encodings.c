/* Prints the encodings of libpfm4's amd64_k7 table for every event under every combination of modifiers: one line
 * "EVENT[:UMASK]...[:MODIFIER]... 0xVALUE" each, in the grammar that both encoders share. */
#include <perfmon/pfmlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const levels[] = {"", ":u", ":k", ":u:k", ":u=0:k=0"};
static const char* const edges[] = {"", ":e=1"};
static const char* const inverts[] = {"", ":i=1"};
static const int counter_masks[] = {0, 1, 2, 127, 128, 255};

static void print_encoding(const char* event) {
  char name[512];
  pfm_pmu_encode_arg_t arg;
  int code;
  memset(&arg, 0, sizeof arg);
  arg.size = sizeof arg;
  snprintf(name, sizeof name, "amd64_k7::%s", event);
  code = pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_NONE, &arg);
  if (code != PFM_SUCCESS || arg.count != 1) {
    fprintf(stderr, "%s: %s\n", name, pfm_strerror(code));
    exit(1);
  }
  printf("%s 0x%llx\n", event, (unsigned long long)arg.codes[0]);
  free(arg.codes);
}

static void print_modified(const char* event) {
  char text[400];
  size_t l, e, i, c;
  for (l = 0; l < sizeof levels / sizeof *levels; l++)
    for (e = 0; e < 2; e++)
      for (i = 0; i < 2; i++)
        for (c = 0; c < sizeof counter_masks / sizeof *counter_masks; c++) {
          snprintf(text, sizeof text, "%s%s%s%s:c=%d", event, levels[l], edges[e], inverts[i], counter_masks[c]);
          print_encoding(text);
        }
}

static void print_counter_masks(const char* event) {
  char text[400];
  int c;
  for (c = 0; c < 256; c++) {
    snprintf(text, sizeof text, "%s:c=%d", event, c);
    print_encoding(text);
  }
}

/* Prints all sums of single-bit masks, the mask that is their sum, and the default. */
static void print_event(int idx, const pfm_event_info_t* event) {
  const char* masks[32];
  const char* whole = NULL;
  char text[300];
  unsigned count = 0, set, m;
  int a;
  for (a = 0; a < event->nattrs; a++) {
    pfm_event_attr_info_t info;
    memset(&info, 0, sizeof info);
    info.size = sizeof info;
    if (pfm_get_event_attr_info(idx, a, PFM_OS_NONE, &info) != PFM_SUCCESS || info.type != PFM_ATTR_UMASK) continue;
    if (info.code & (info.code - 1))
      whole = info.name;
    else
      masks[count++] = info.name;
  }
  print_modified(event->name);
  print_counter_masks(event->name);
  for (set = 1; set < 1u << count; set++) {
    size_t used = (size_t)snprintf(text, sizeof text, "%s", event->name);
    for (m = 0; m < count; m++)
      if (set >> m & 1) used += (size_t)snprintf(text + used, sizeof text - used, ":%s", masks[m]);
    print_modified(text);
  }
  if (whole) {
    snprintf(text, sizeof text, "%s:%s", event->name, whole);
    print_modified(text);
  }
}

int main(void) {
  pfm_pmu_info_t pmu;
  int idx;
  setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
  if (pfm_initialize() != PFM_SUCCESS) return 1;
  memset(&pmu, 0, sizeof pmu);
  pmu.size = sizeof pmu;
  if (pfm_get_pmu_info(PFM_PMU_AMD64_K7, &pmu) != PFM_SUCCESS) return 1;
  for (idx = pmu.first_event; idx != -1; idx = pfm_get_event_next(idx)) {
    pfm_event_info_t event;
    memset(&event, 0, sizeof event);
    event.size = sizeof event;
    if (pfm_get_event_info(idx, PFM_OS_NONE, &event) != PFM_SUCCESS) return 1;
    print_event(idx, &event);
  }
  return 0;
}
