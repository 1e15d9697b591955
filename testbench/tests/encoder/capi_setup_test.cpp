// Selection of a PMU: the environment, forcing, and the result of each call before and after. Each case runs in a
// separate process, because a selection lasts as long as the process.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdlib>
#include <functional>
#include <set>

#include "capi.h"

namespace pmusim::encoder::test {
namespace {

/// Runs the case in a child process with a clean environment; a case fails by returning a message.
std::string in_child(const std::function<std::string()>& body) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    for (const char* name :
         {"LIBPFM_VERBOSE", "LIBPFM_DEBUG", "LIBPFM_DEBUG_STDOUT", "LIBPFM_FORCE_PMU", "PFMLIB_QUIRKS"})
      unsetenv(name);
    const std::string message = body();
    _exit(write(ends[1], message.data(), message.size()) == static_cast<ssize_t>(message.size()) ? 0 : 1);
  }
  close(ends[1]);
  std::string message;
  char buffer[256];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;) message.append(buffer, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? message : "the child died";
}

std::string selected() {
  char name[32] = "";
  const int code = pfm_get_pmu_name(name, sizeof name);
  return code == PFMLIB_SUCCESS ? name : std::to_string(code);
}

/// Returns the output of the body on a stream.
std::string printed_on(int descriptor, const std::function<void()>& body) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  std::fflush(nullptr);
  const int before = dup(descriptor);
  dup2(ends[1], descriptor);
  close(ends[1]);
  body();
  std::fflush(nullptr);
  dup2(before, descriptor);
  close(before);
  std::string text;
  char buffer[4096];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<std::size_t>(n));
  close(ends[0]);
  return text;
}

#define SETUP_TEST(name, expected, ...) \
  TEST(Setup, name) { EXPECT_EQ(in_child([]() -> std::string __VA_ARGS__), expected); }

SETUP_TEST(InitializeTakesTheFirstPmu, "athlon", {
  pfm_initialize();
  return selected();
})
SETUP_TEST(ForcedBeforeInitializeStays, "ppc750gx", {
  pfm_force_pmu(PFMLIB_PPC750GX_PMU);
  pfm_initialize();
  return selected();
})
SETUP_TEST(ForceAloneInitializes, "ppc750gx", {
  pfm_force_pmu(257);
  return selected();
})
SETUP_TEST(ForceAfterInitializeSelectsAnew, "ppc750gx", {
  pfm_initialize();
  pfm_force_pmu(257);
  return selected();
})
SETUP_TEST(UnknownForceKeepsTheSelection, "athlon-1", {
  pfm_force_pmu(256);
  const int code = pfm_force_pmu(2);
  return selected() + std::to_string(code);
})
SETUP_TEST(EnvironmentForces, "ppc750gx", {
  setenv("LIBPFM_FORCE_PMU", "257", 1);
  pfm_initialize();
  return selected();
})
SETUP_TEST(EnvironmentWinsOverForce, "ppc750gx", {
  setenv("LIBPFM_FORCE_PMU", "257", 1);
  pfm_force_pmu(256);
  pfm_initialize();
  return selected();
})
SETUP_TEST(EnvironmentWithAnUnknownTypeFails, "-1 then -3", {
  setenv("LIBPFM_FORCE_PMU", "16", 1);
  const int code = pfm_initialize();
  return std::to_string(code) + " then " + selected();
})
SETUP_TEST(EnvironmentWithNoNumberFails, "-1", {
  setenv("LIBPFM_FORCE_PMU", "athlon", 1);
  return std::to_string(pfm_initialize());
})
SETUP_TEST(VerboseTextGoesToStderr, "yes", {
  setenv("LIBPFM_VERBOSE", "1", 1);
  return printed_on(2, [] { pfm_initialize(); }).find("athlon") != std::string::npos ? "yes" : "no";
})
SETUP_TEST(VerboseTextGoesToStdoutOnRequest, "yes", {
  setenv("LIBPFM_VERBOSE", "1", 1);
  setenv("LIBPFM_DEBUG_STDOUT", "", 1);
  return printed_on(1, [] { pfm_initialize(); }).find("athlon") != std::string::npos ? "yes" : "no";
})
SETUP_TEST(OnlyTheLowBitOfTheFirstDigitCounts, "", {
  setenv("LIBPFM_VERBOSE", "2", 1);
  return printed_on(2, [] { pfm_initialize(); });
})
SETUP_TEST(NoDigitIsNoOption, "", {
  setenv("LIBPFM_VERBOSE", "yes", 1);
  return printed_on(2, [] { pfm_initialize(); });
})
SETUP_TEST(DebugPrintsTheSentence, "yes", {
  setenv("LIBPFM_DEBUG", "1", 1);
  return printed_on(
             2,
             [] {
               pfm_initialize();
               unsigned idx = 0;
               pfm_find_event("NO_SUCH_EVENT", &idx);
             }).find("NO_SUCH_EVENT") != std::string::npos
             ? "yes"
             : "no";
})
SETUP_TEST(SetOptionsTurnsTextOn, "yes", {
  pfmlib_options_t options{};
  options.pfm_verbose = 1;
  if (pfm_set_options(&options) != PFMLIB_SUCCESS) return "failed";
  return printed_on(2, [] { pfm_initialize(); }).empty() ? "no" : "yes";
})
SETUP_TEST(EnvironmentLocksOptions, "", {
  setenv("LIBPFM_DEBUG", "0", 1);
  pfm_initialize();
  pfmlib_options_t options{};
  options.pfm_debug = 1;
  if (pfm_set_options(&options) != PFMLIB_SUCCESS) return "failed";
  return printed_on(2, [] {
    unsigned idx = 0;
    pfm_find_event("NO_SUCH_EVENT", &idx);
  });
})

// The others are in the suite capi_abuse.
SETUP_TEST(CallsNeedAPmu, "-3", { return std::to_string(pfm_is_pmu_supported(256)); })

// These calls need no PMU.
SETUP_TEST(CallsWithoutAPmu, "3.10 ppc750gx -2 -2", {
  const unsigned version = got(pfm_get_version);
  char name[16] = "";
  pfm_get_pmu_name_bytype(PFMLIB_PPC750GX_PMU, name, sizeof name);
  return std::to_string(PFMLIB_MAJ_VERSION(version)) + "." + std::to_string(PFMLIB_MIN_VERSION(version)) + " " + name +
         " " + std::to_string(pfm_get_pmu_name_bytype(2, name, 16)) + " " +
         std::to_string(pfm_get_pmu_name_bytype(256, name, 0));
})

std::string collected;
int collect(const char* format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  collected += text;
  return length;
}

SETUP_TEST(ListBeforeSelection,
           "PMU models: [athlon] [ppc750gx] [itanium2] [dual-core Itanium 2] [alpha-ev4] [alpha-ev5] [alpha-pca56] "
           "[alpha-ev6] [alpha-ev67]\nselected: none yet\n",
           {
             pfm_list_supported_pmus(collect);
             return collected;
           })
SETUP_TEST(ListAfterSelection,
           "PMU models: [athlon] [ppc750gx] [itanium2] [dual-core Itanium 2] [alpha-ev4] [alpha-ev5] [alpha-pca56] "
           "[alpha-ev6] [alpha-ev67]\nselected: ppc750gx\n",
           {
             pfm_force_pmu(257);
             pfm_list_supported_pmus(collect);
             return collected;
           })

TEST_F(Athlon, NameAndType) {
  char name[16];
  ASSERT_EQ(pfm_get_pmu_name(name, sizeof name), PFMLIB_SUCCESS);
  EXPECT_STREQ(name, "athlon");
  EXPECT_EQ(pfm_get_pmu_name(name, 4), PFMLIB_SUCCESS) << "cut names are no error";
  EXPECT_STREQ(name, "ath");
  EXPECT_EQ(pfm_get_pmu_name(name, 1), PFMLIB_SUCCESS);
  EXPECT_STREQ(name, "");
  EXPECT_EQ(pfm_get_pmu_name(name, 0), PFMLIB_ERR_INVAL);
  EXPECT_EQ(got(pfm_get_pmu_type), 256);
  EXPECT_EQ(pfm_is_pmu_supported(256), PFMLIB_SUCCESS);
  EXPECT_EQ(pfm_is_pmu_supported(257), PFMLIB_SUCCESS);
  EXPECT_EQ(pfm_is_pmu_supported(16), PFMLIB_ERR_NOTSUPP);
  EXPECT_EQ(pfm_is_pmu_supported(-1), PFMLIB_ERR_NOTSUPP);
  EXPECT_EQ(pfm_get_pmu_name_bytype(257, name, 7), PFMLIB_SUCCESS);
  EXPECT_STREQ(name, "ppc750");
}

TEST(Strerror, EveryCodeHasItsText) {
  std::set<std::string> texts;
  for (int code = 0; code >= -23; --code) {
    ASSERT_NE(pfm_strerror(code), nullptr);
    EXPECT_TRUE(texts.insert(pfm_strerror(code)).second) << code;
  }
  const std::string unknown = pfm_strerror(1);
  EXPECT_FALSE(texts.contains(unknown));
  EXPECT_EQ(pfm_strerror(-24), unknown);
  EXPECT_EQ(pfm_strerror(-2147483647 - 1), unknown);
}

}  // namespace
}  // namespace pmusim::encoder::test
