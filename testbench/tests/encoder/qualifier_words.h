// A request in words: events, and qualifiers as on the command line.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pmusim/encoder/encoder.h"

namespace pmusim::encoder::test {

/// Adds a qualifier, `--irange` with its text, or `--inverse` without; false if it is none.
inline bool take_qualifier(QualifierTexts& texts, const std::string& option, const std::string& text) {
  using Texts = QualifierTexts;
  static const std::map<std::string, std::vector<std::string> Texts::*> lists{
      {"--irange", &Texts::irange}, {"--drange", &Texts::drange}, {"--opcode", &Texts::opcode},
      {"--ear", &Texts::ear},       {"--btb", &Texts::btb},       {"--etb", &Texts::etb},
      {"--ipear", &Texts::ipear},   {"--fetch", &Texts::fetch}};
  static const std::map<std::string, bool Texts::*> flags{{"--no-fine", &Texts::no_fine},
                                                          {"--inverse", &Texts::inverse}};
  const auto list = lists.find(option);
  const auto flag = flags.find(option);
  if (list != lists.end()) (texts.*list->second).push_back(text);
  if (flag != flags.end()) texts.*flag->second = true;
  return list != lists.end() || flag != flags.end();
}

}  // namespace pmusim::encoder::test
