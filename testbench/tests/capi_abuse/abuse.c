/* Calls every function of the C API with every kind of wrong argument, before a PMU is selected and then for each PMU,
 * mixed with valid calls. Every call must return; memory checkers and the thread sanitizer watch the calls.
 *   abuse            all calls, once
 *   abuse THREADS    all calls on THREADS threads at once, which also select PMUs, options and quirks
 * Prints the number of calls. Exit code 1 when a result is impossible: a code that is none of PFMLIB_ERR_..., success
 * without a place to write to, or a name that is not terminated in its buffer. */
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_alpha.h>
#include <perfmon/pfmlib_athlon.h>
#include <perfmon/pfmlib_itanium2.h>
#include <perfmon/pfmlib_montecito.h>
#include <perfmon/pfmlib_ppc750gx.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static atomic_ulong calls, wrong;
static atomic_bool selected;
static bool alone;

static void fail(const char* what, int code) {
  fprintf(stderr, "abuse: %s answers %d\n", what, code);
  ++wrong;
}

/* A call that may return any valid code. */
static int called(const char* what, int code) {
  ++calls;
  if (code > 0 || code < PFMLIB_ERR_NOMEM) fail(what, code);
  return code;
}
#define CALL(expression) called(#expression, (expression))
/* A call that must not succeed. */
static void refused(const char* what, int code) {
  if (called(what, code) == PFMLIB_SUCCESS) fail(what, code);
}
/* A call with invalid arguments; what it needs first, a PMU, is asked for first. */
static void invalid(const char* what, int first, int code) {
  if (called(what, code) != first && (alone || code != PFMLIB_ERR_INVAL)) fail(what, code);
}
#define REFUSED(expression) refused(#expression, (expression))
#define INVALID(expression) invalid(#expression, PFMLIB_ERR_INVAL, (expression))
#define NEEDS_A_PMU(expression)                                 \
  do {                                                                 \
    const int first = selected ? PFMLIB_ERR_INVAL : PFMLIB_ERR_NOINIT; \
    invalid(#expression, first, (expression));                         \
  } while (0)
/* A predicate: returns 0, 1 or an error code. */
static void asked(const char* what, int answer) {
  ++calls;
  if (answer > 1 || answer < PFMLIB_ERR_NOMEM) fail(what, answer);
}
#define ASK(expression) asked(#expression, (expression))

static const int pmus[] = {PFMLIB_ATHLON_PMU,     PFMLIB_PPC750GX_PMU,    PFMLIB_ALPHA_EV4_PMU,
                           PFMLIB_ALPHA_EV5_PMU,  PFMLIB_ALPHA_PCA56_PMU, PFMLIB_ALPHA_EV6_PMU,
                           PFMLIB_ALPHA_EV67_PMU, PFMLIB_ITANIUM2_PMU,    PFMLIB_MONTECITO_PMU};
static const unsigned indexes[] = {0, 1, 7, 100, 10000, 0x7fffffff, 0x80000000, 0xffffffff};
typedef const char* Text;
static const Text texts[] = {
    "",          ":",        "::", "CPU_CLK_UNHALTED",   "LOADS_RETIRED:u:k",  "\xff\xfe\x80", "%s%n%x",
    "a:b:c:d:e", "\x1b[31m", "-1", "0xffffffffffffffff", "DATA_CACHE_REFILLS:"};
#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define EACH(type, name, array) for (const type* name = (array); name < (array) + COUNT(array); ++name)

static int print_nothing(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  va_end(arguments);
  return 0;
}

/* A block filled with one byte, like memory that is not initialised. */
static void* filled(size_t size, int byte) {
  void* block = malloc(size);
  if (block == NULL) abort();
  return memset(block, byte, size);
}

static void a_name(const char* what, int code, const char* name, size_t room) {
  called(what, code);
  if (code == PFMLIB_SUCCESS && memchr(name, 0, room) == NULL) fail(what, code);
}

static void names(void) {
  EACH(unsigned, index, indexes) {
    for (size_t room = 0; room < 70; room += room < 3 ? 1 : 33) {
      char* const name = filled(room == 0 ? 1 : room, 0x55); /* of this size, so that a byte too many is seen */
      pfmlib_event_t* const event = filled(sizeof *event, (int)*index & 0xff);
      a_name("pfm_get_pmu_name", pfm_get_pmu_name(name, (int)room), name, room);
      a_name("pfm_get_pmu_name_bytype", pfm_get_pmu_name_bytype((int)*index, name, room), name, room);
      a_name("pfm_get_event_name", pfm_get_event_name(*index, name, room), name, room);
      a_name("pfm_get_event_mask_name", pfm_get_event_mask_name(7, *index, name, room), name, room);
      a_name("pfm_get_event_mask_name", pfm_get_event_mask_name(*index, 0, name, room), name, room);
      a_name("pfm_get_full_event_name", pfm_get_full_event_name(event, name, room), name, room);
      memset(event, 0, sizeof *event);
      event->event = *index;
      a_name("pfm_get_full_event_name", pfm_get_full_event_name(event, name, room), name, room);
      free(event);
      free(name);
    }
    NEEDS_A_PMU(pfm_get_pmu_name(NULL, (int)*index));
    INVALID(pfm_get_pmu_name_bytype((int)*index, NULL, 10));
    NEEDS_A_PMU(pfm_get_event_name(*index, NULL, 10));
    NEEDS_A_PMU(pfm_get_event_mask_name(*index, 0, NULL, 10));
    NEEDS_A_PMU(pfm_get_full_event_name(NULL, NULL, *index));
  }
}

static void lookups(void) {
  unsigned found;
  pfmlib_event_t event;
  EACH(Text, text, texts) {
    CALL(pfm_find_event(*text, &found));
    CALL(pfm_find_event_byname(*text, &found));
    CALL(pfm_find_full_event(*text, &event));
    NEEDS_A_PMU(pfm_find_event(*text, NULL));
    NEEDS_A_PMU(pfm_find_event_byname(*text, NULL));
    NEEDS_A_PMU(pfm_find_full_event(*text, NULL));
    EACH(unsigned, index, indexes) CALL(pfm_find_event_mask(*index, *text, &found));
    NEEDS_A_PMU(pfm_find_event_mask(0, *text, NULL));
  }
  const size_t length = 1 << 16;
  char* const endless = filled(length, 'A');
  endless[length - 1] = 0;
  REFUSED(pfm_find_event(endless, &found));
  memset(endless, ':', length - 1);
  REFUSED(pfm_find_full_event(endless, &event));
  free(endless);
  NEEDS_A_PMU(pfm_find_event(NULL, &found));
  NEEDS_A_PMU(pfm_find_event_byname(NULL, &found));
  NEEDS_A_PMU(pfm_find_full_event(NULL, &event));
  NEEDS_A_PMU(pfm_find_event_mask(0, NULL, &found));
  EACH(unsigned, index, indexes) {
    CALL(pfm_find_event_bycode((int)*index, &found));
    CALL(pfm_find_event_bycode_next(0x76, *index, &found));
    CALL(pfm_find_event_bycode_next((int)*index, 0, &found));
    NEEDS_A_PMU(pfm_find_event_bycode((int)*index, NULL));
    NEEDS_A_PMU(pfm_find_event_bycode_next((int)*index, *index, NULL));
  }
}

/* A call that is refused without a place to write to. */
#define TWICE(wrong, function, place)        \
  do {                                \
    CALL(function(*index, &(place))); \
    wrong(function(*index, NULL));  \
  } while (0)
#define FACT(wrong, function, place) \
  do {                        \
    CALL(function(&(place))); \
    wrong(function(NULL));  \
  } while (0)
#define IA64_FACTS(cpu)                         \
  do {                                          \
    pfmlib_##cpu##_ear_mode_t mode;             \
    ASK(pfm_##cpu##_is_ear(*index));            \
    ASK(pfm_##cpu##_is_dear(*index));           \
    ASK(pfm_##cpu##_is_dear_tlb(*index));       \
    ASK(pfm_##cpu##_is_dear_cache(*index));     \
    ASK(pfm_##cpu##_is_dear_alat(*index));      \
    ASK(pfm_##cpu##_is_iear(*index));           \
    ASK(pfm_##cpu##_is_iear_tlb(*index));       \
    ASK(pfm_##cpu##_is_iear_cache(*index));     \
    ASK(pfm_##cpu##_support_opcm(*index));      \
    ASK(pfm_##cpu##_support_iarr(*index));      \
    ASK(pfm_##cpu##_support_darr(*index));      \
    TWICE(INVALID, pfm_##cpu##_get_event_maxincr, number); \
    TWICE(INVALID, pfm_##cpu##_get_ear_mode, mode);      \
    TWICE(INVALID, pfm_##cpu##_get_event_umask, large);  \
    TWICE(INVALID, pfm_##cpu##_get_event_group, code);   \
    TWICE(INVALID, pfm_##cpu##_get_event_set, code);     \
  } while (0)

static void facts(void) {
  unsigned number;
  unsigned long large;
  int code;
  size_t length;
  pfmlib_regmask_t registers;
  pfmlib_event_t event;
  EACH(unsigned, index, indexes) {
    char* text = NULL;
    TWICE(NEEDS_A_PMU, pfm_get_num_event_masks, number);
    TWICE(NEEDS_A_PMU, pfm_get_event_code, code);
    TWICE(NEEDS_A_PMU, pfm_get_event_counters, registers);
    CALL(pfm_get_event_mask_code(*index, 0, &number));
    CALL(pfm_get_event_mask_code(0, *index, &number));
    CALL(pfm_get_event_code_counter(*index, 0, &code));
    CALL(pfm_get_event_code_counter(0, *index, &code));
    if (CALL(pfm_get_event_description(*index, &text)) == PFMLIB_SUCCESS) free(text);
    text = NULL;
    if (CALL(pfm_get_event_mask_description(*index, 0, &text)) == PFMLIB_SUCCESS) free(text);
    NEEDS_A_PMU(pfm_get_event_mask_code(*index, 0, NULL));
    NEEDS_A_PMU(pfm_get_event_code_counter(*index, 0, NULL));
    NEEDS_A_PMU(pfm_get_event_description(*index, NULL));
    NEEDS_A_PMU(pfm_get_event_mask_description(*index, 0, NULL));

    TWICE(REFUSED, pfm_athlon_get_event_maxincr, number);
    TWICE(REFUSED, pfm_ppc750gx_get_event_maxincr, number);
    TWICE(REFUSED, pfm_alpha_get_event_maxincr, number);
    ASK(pfm_ppc750gx_uses_threshold(*index));
    (void)pfm_alpha_get_profileme_statistic(*index); /* any number of a statistic */
    ++calls;
    IA64_FACTS(ita2);
    ASK(pfm_ita2_is_btb(*index));
    IA64_FACTS(mont);
    ASK(pfm_mont_is_etb(*index));
    ASK(pfm_mont_support_all(*index));
    TWICE(INVALID, pfm_mont_get_event_type, code);

    if (pfm_strerror((int)*index) == NULL || pfm_last_error() == NULL) fail("an error's text", 0);
    calls += 2;
  }
  FACT(NEEDS_A_PMU, pfm_get_max_event_name_len, length);
  FACT(NEEDS_A_PMU, pfm_get_num_events, number);
  FACT(NEEDS_A_PMU, pfm_get_cycle_event, event);
  FACT(NEEDS_A_PMU, pfm_get_inst_retired_event, event);
  FACT(NEEDS_A_PMU, pfm_get_impl_pmcs, registers);
  FACT(NEEDS_A_PMU, pfm_get_impl_pmds, registers);
  FACT(NEEDS_A_PMU, pfm_get_impl_counters, registers);
  FACT(NEEDS_A_PMU, pfm_get_num_pmcs, number);
  FACT(NEEDS_A_PMU, pfm_get_num_pmds, number);
  FACT(NEEDS_A_PMU, pfm_get_num_counters, number);
  FACT(NEEDS_A_PMU, pfm_get_hw_counter_width, number);
  FACT(INVALID, pfm_get_version, number);
  FACT(NEEDS_A_PMU, pfm_get_pmu_type, code);
}

/* At least the size of the largest block of any PMU: a block of the wrong kind is read as the selected PMU's. */
#define LARGEST(a, b) (sizeof(a) > sizeof(b) ? sizeof(a) : sizeof(b))
enum {
  model_in_size = LARGEST(pfmlib_mont_input_param_t, pfmlib_ita2_input_param_t) + sizeof(pfmlib_athlon_input_param_t) +
                  sizeof(pfmlib_ppc750gx_input_param_t) + sizeof(pfmlib_alpha_input_param_t),
  model_out_size = LARGEST(pfmlib_mont_output_param_t, pfmlib_ita2_output_param_t)
};

static void dispatches(void) {
  static const int bytes[] = {0x00, 0x01, 0x08, 0x55, 0x80, 0xff};
  static const unsigned counts[] = {0, 1, 3, 12, PFMLIB_MAX_PMCS, PFMLIB_MAX_PMCS + 1, 0xffffffff};
  pfmlib_input_param_t* const in = malloc(sizeof *in);
  if (in == NULL) abort();
  EACH(int, byte, bytes) {
    void* const model = filled(model_in_size, *byte);
    EACH(unsigned, count, counts) {
      for (int kind = 0; kind < 3; ++kind) { /* all bytes alike; events by number; the same event again and again */
        pfmlib_output_param_t* const out = filled(sizeof *out, *byte);
        void* const model_out = filled(model_out_size, *byte);
        memset(in, kind == 0 ? *byte : 0, sizeof *in);
        in->pfp_event_count = *count;
        in->pfp_dfl_plm = kind == 0 ? (unsigned)*byte : PFM_PLM3;
        for (unsigned i = 0; kind != 0 && i < PFMLIB_MAX_PMCS; ++i) in->pfp_events[i].event = kind == 1 ? i : 3;
        CALL(pfm_dispatch_events(in, NULL, out, NULL));
        CALL(pfm_dispatch_events(in, model, out, model_out));
        CALL(pfm_dispatch_events(in, model, out, NULL));
        ASK(pfm_ita2_irange_is_fine(out, model_out));
        ASK(pfm_mont_irange_is_fine(out, model_out));
        NEEDS_A_PMU(pfm_dispatch_events(in, model, NULL, model_out));
        NEEDS_A_PMU(pfm_dispatch_events(NULL, model, out, model_out));
        free(model_out);
        free(out);
      }
    }
    free(model);
  }
  NEEDS_A_PMU(pfm_dispatch_events(NULL, NULL, NULL, NULL));
  ASK(pfm_ita2_irange_is_fine(NULL, NULL));
  ASK(pfm_mont_irange_is_fine(NULL, NULL));
  free(in);
}

static void options(void) {
  pfmlib_options_t none = {0, 0, 0};
  CALL(pfm_set_options(&none));
  INVALID(pfm_set_options(NULL));
  INVALID(pfm_set_quirks("no such quirk"));
  INVALID(pfm_set_quirks(",,,"));
  CALL(pfm_set_quirks("libpfm-3.10"));
  CALL(pfm_set_quirks(NULL));
  CALL(pfm_list_supported_pmus(print_nothing));
  INVALID(pfm_list_supported_pmus(NULL));
  EACH(unsigned, index, indexes) {
    CALL(pfm_is_pmu_supported((int)*index));
    REFUSED(pfm_force_pmu((int)(*index | 0x10000)));
  }
}

static void all_of_one_pmu(void) {
  names();
  lookups();
  facts();
  dispatches();
  options();
}

static void* all(void* ignored) {
  (void)ignored;
  all_of_one_pmu();
  EACH(int, pmu, pmus) {
    CALL(pfm_force_pmu(*pmu));
    selected = true;
    all_of_one_pmu();
  }
  CALL(pfm_initialize());
  all_of_one_pmu();
  return NULL;
}

int main(int argc, char** argv) {
  const int threads = argc > 1 ? atoi(argv[1]) : 0;
  alone = threads <= 0;
  if (alone) {
    all(NULL);
  } else {
    pthread_t* const started = calloc((size_t)threads, sizeof *started);
    for (int i = 0; i < threads; ++i)
      if (started == NULL || pthread_create(&started[i], NULL, all, NULL) != 0) abort();
    for (int i = 0; i < threads; ++i) pthread_join(started[i], NULL);
    free(started);
  }
  printf("%lu calls, %lu impossible answers\n", (unsigned long)calls, (unsigned long)wrong);
  return wrong != 0;
}
