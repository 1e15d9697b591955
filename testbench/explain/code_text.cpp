#include <set>
#include <vector>

#include "testbench/explain/disassembler.h"
#include "testbench/explain/recorder.h"

namespace pmusim::testbench {

void add_code_text(trace::Reader& trace, std::map<Culprit, std::string>& wanted) {
  std::set<std::uint64_t> missing;
  for (const auto& [culprit, text] : wanted) {
    if (culprit.instruction) missing.insert(culprit.ip);
  }
  std::vector<trace::Code> codes;
  for (trace::Item item; !missing.empty() && trace.next(item);) {
    if (item.directive == nullptr && missing.erase(item.instruction.code->pc) != 0)
      codes.push_back(*item.instruction.code);
  }
  const InstructionTexts texts = disassemble(trace.info().isa, codes);
  for (auto& [culprit, text] : wanted) {
    const auto found = texts.find({culprit.ip, culprit.slot});
    if (culprit.instruction && found != texts.end()) text = found->second;
  }
}

}  // namespace pmusim::testbench
