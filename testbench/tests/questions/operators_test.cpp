// The defects that encoders really have exist for every target for which they make sense: a defect whose field or
// attribute is renamed would change no answer, and `validate --defects` would report that it does not fit.
#include <gtest/gtest.h>

#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "testbench/faults/encoder_faults.h"
#include "testbench/faults/encoder_trials.h"
#include "testbench/sweep/protocol.h"
#include "testbench/tests/questions/asked.h"

namespace pmusim::testbench::questions {
namespace {

using NameList = std::vector<std::string>;

/// The questions of a target as requests, with the right answers.
class Requests {
 public:
  explicit Requests(const std::string& target) : target_(target) {
    faults::Server right;
    std::uint64_t id = 0;
    for (const Question& question : questions_of(target, Extent::quick)) {
      lines_.push_back(request_of(++id, target, question.group).dump());
      answers_.push_back(right.answer(lines_.back()));
    }
  }
  /// True if an encoder with the defect answers one of them in another way; refusals are not compared in words.
  [[nodiscard]] bool changed_by(const faults::EncoderFault& defect) const {
    faults::Server defective(&defect);
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const auto answer = defective.answer(lines_[i]);
      const bool refused = answers_[i].contains("error");
      if (refused ? !answer.contains("error") : answer != answers_[i]) return true;
    }
    return false;
  }
  void expect(const NameList& names) const {
    std::map<std::string, faults::EncoderFault> defects;
    for (faults::EncoderFault& defect : faults::encoder_faults_of(target_))
      defects.emplace(defect.name, std::move(defect));
    for (const std::string& name : names) {
      const auto found = defects.find(name);
      ASSERT_NE(found, defects.end()) << target_ << ": there is no " << name;
      EXPECT_TRUE(changed_by(found->second)) << target_ << ": " << name << " does not fit";
    }
  }

 private:
  std::string target_;
  std::vector<std::string> lines_;
  std::vector<nlohmann::json> answers_;
};

/// An attribute ignored: always, on all counters but the first, when sampling, and with a unit mask if events have any.
NameList ignored(const NameList& attributes, const NameList& when) {
  NameList list;
  for (const std::string& attribute : attributes) {
    list.push_back("ignores-" + attribute);
    for (const std::string& condition : when) list.push_back("ignores-" + attribute + '-' + condition);
  }
  return list;
}

/// The words of a text.
NameList names(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

NameList operator+(NameList a, const NameList& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Counters, codes, interrupts, and the registers of an answer.
const NameList of_any_encoder = names(
    "no-interrupt interrupt-always next-event next-counter-named last-left-out first-left-out last-written-first "
    "reversed stale constraints-ignored reserved-counters-used");

TEST(Operators, FitTheAthlon) {
  Requests("athlon").expect(
      of_any_encoder +
      ignored({"u", "k", "plm", "c", "i", "e", "pc", "intr"},
              {"beyond-first-counter", "when-sampling", "with-unit-mask"}) +
      names(
          "last-mask first-mask masks-anded next-mask all-masks no-default-mask levels-swapped kernel-added user-added "
          "users-by-default threshold-one-more attributes-of-first-for-all selectors-exchanged counters-exchanged "
          "others-left-on interrupt-of-first-alone preset-off-by-one preset-not-extended cuts-PerfEvtSel0-3.EVENT "
          "cuts-PerfEvtSel0-3.UNIT_MASK cuts-PerfEvtSel0-3.CNT_MASK shifts-PerfEvtSel0-3.UNIT_MASK "
          "shifts-PerfEvtSel0-3.CNT_MASK swaps-PerfEvtSel0-3.OS-USR inverts-PerfEvtSel0-3.INT "
          "inverts-PerfEvtSel0-3.EN"));
}

TEST(Operators, FitThe750s) {
  for (const char* target : {"ppc750gx", "ppc750gl"}) {
    Requests(target).expect(
        of_any_encoder + ignored({"u", "k", "marked", "unmarked", "intr"}, {"beyond-first-counter", "when-sampling"}) +
        names("ignores-t ignores-t-when-sampling ignores-tb ignores-tb-beyond-first-counter ignores-tb-when-sampling "
              "levels-swapped kernel-added user-added users-by-default threshold-one-more counters-exchanged "
              "preset-off-by-one cuts-MMCR0.THRESHOLD shifts-MMCR0.THRESHOLD cuts-low-MMCR0.PMC1SELECT "
              "cuts-low-MMCR1.PMC3SELECT inverts-MMCR0.ENINT inverts-MMCR0.PMC1INTCONTROL inverts-MMCR0.PMCINTCONTROL "
              "inverts-MMCR0.DISCOUNT sets-MMCR0.PMCTRIGGER"));
  }
}

TEST(Operators, FitThe21064) {
  Requests("alpha-ev4")
      .expect(names("next-event next-counter-named last-left-out first-left-out last-written-first reversed stale "
                    "constraints-ignored reserved-counters-used counters-exchanged ignores-pme ignores-freq "
                    "ignores-pme-beyond-first-counter ignores-freq-beyond-first-counter ignores-freq-when-sampling "
                    "cuts-WRPERFMON_SELECT.PCMUX0 cuts-WRPERFMON_SELECT.PCMUX1 shifts-WRPERFMON_SELECT.PCMUX1 "
                    "inverts-WRPERFMON_SELECT.PC0 inverts-WRPERFMON_SELECT.PC1"));
}

TEST(Operators, FitThe21164s) {
  for (const auto& [target, other] :
       {std::pair<std::string, std::string>{"alpha-ev5", "alpha-pca56"}, {"alpha-pca56", "alpha-ev5"}}) {
    Requests(target).expect(of_any_encoder + ignored({"u", "k", "pal", "es", "pme", "freq"}, {"beyond-first-counter"}) +
                            ignored({"u", "k", "pal", "es", "pme", "freq"}, {"when-sampling"}) +
                            NameList{"levels-swapped", "kernel-added", "user-added", "users-by-default",
                                     "preset-off-by-one", "counters-exchanged", "codes-of-" + other});
  }
}

// An overflow always interrupts.
TEST(Operators, FitThe21264s) {
  for (const char* target : {"alpha-ev6", "alpha-ev67"})
    Requests(target).expect(
        names("next-event next-counter-named last-left-out first-left-out last-written-first reversed stale "
              "constraints-ignored reserved-counters-used ignores-pme ignores-pme-beyond-first-counter "
              "ignores-pme-when-sampling preset-off-by-one"));
  Requests("alpha-ev6").expect(names("cuts-low-WRPERFMON_SELECT.SL1 inverts-WRPERFMON_SELECT.SL0"));
}

// The codes of the other model are no defect: events that both have, have the same codes.
TEST(Operators, FitTheItaniums) {
  for (const std::string target : {"itanium2", "montecito"}) {
    const std::string counters = target == "itanium2" ? "PMC4-7" : "PMC4-15";
    Requests(target).expect(
        of_any_encoder + ignored({"u", "k", "plm", "t", "pm"}, {"beyond-first-counter", "when-sampling"}) +
        names("levels-swapped default-levels-added levels-reversed all-levels-by-default kernel-added "
              "threshold-one-more threshold-halved selectors-exchanged counters-exchanged attributes-of-first-for-all "
              "interrupt-of-first-alone preset-off-by-one preset-not-extended ignores-irange ignores-drange "
              "ignores-opcode ignores-ear first-irange first-drange first-opcode ignores-inverse ignores-no_fine "
              "range-inwards range-one-longer range-levels-ignored range-mask-wider range-mask-narrower "
              "slot-types-ignored matchers-exchanged other-pair-of-IBR other-pair-of-DBR") +
        NameList{"cuts-" + counters + ".umask", "shifts-" + counters + ".umask", "cuts-" + counters + ".es",
                 "cuts-" + counters + ".threshold", "inverts-" + counters + ".oi", "inverts-" + counters + ".pm"});
  }
  Requests("itanium2")
      .expect(
          names("ignores-ism ia64-by-default ignores-btb swaps-PMC12.ptm-tm inverts-PMC12.ds complements-PMC8-9.mask"));
  Requests("montecito")
      .expect(names("ignores-all ignores-etb ignores-ipear cuts-PMC42.delay inverts-PMC42.pm inverts-PMC39.ds"));
}

}  // namespace
}  // namespace pmusim::testbench::questions
