// pmusim validate --gallery: judges the encoders of scripts/adapters/gallery, whose faults are known.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <utility>

#include "testbench/cli/validate_modes.h"
#include "testbench/store/data_folder.h"
#include "testbench/store/this_program.h"
#include "testbench/support/progress.h"
#include "testbench/support/words.h"

namespace pmusim::testbench {
namespace {

namespace fs = std::filesystem;

/// A row of tools.json.
struct GalleryTool {
  std::string key, name, source, target, verdict;
  std::vector<std::string> wrong;    ///< regular expressions of questions; with `?` in front they need not occur
  std::vector<std::string> defects;  ///< in words
};

/// The verdict of a run on a tool.
struct Judged {
  Json report;
  std::vector<std::string> surprises;  ///< how it differs from what is known of the tool
  std::vector<Json> examples;          ///< a mismatch for each defect
};

fs::path folder() {
  const fs::path data = data_folder();
  for (const char* place : {"adapters/gallery", "scripts/adapters/gallery"}) {
    if (fs::exists(data / place / "tools.json")) return data / place;
  }
  throw UsageError("no adapters/gallery in {}: expected the folder that comes with pmusim", data.string());
}

std::vector<GalleryTool> read_tools(const fs::path& file) {
  std::ifstream in(file);
  const Json rows = Json::parse(in, nullptr, false);
  if (!rows.is_array()) throw UsageError("{}: expected a JSON array of tools", file.string());
  std::vector<GalleryTool> tools;
  for (const Json& row : rows) {
    tools.push_back({row.at("key"), row.at("tool"), row.at("source"), row.at("target"), row.at("verdict"),
                     row.at("wrong").get<std::vector<std::string>>(),
                     row.at("defects").get<std::vector<std::string>>()});
  }
  return tools;
}

/// Runs pmusim once more; its JSON line, or null if it printed none.
Json run(const std::string& command) {
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw UsageError("validate --gallery: cannot start a shell");
  std::string text;
  std::array<char, 65536> chunk{};
  std::size_t n = 0;
  while ((n = fread(chunk.data(), 1, chunk.size(), pipe)) != 0) text.append(chunk.data(), n);
  pclose(pipe);
  return Json::parse(text.substr(0, text.find('\n')), nullptr, false);
}

bool is_optional(const std::string& wrong) { return wrong.starts_with('?'); }

/// Compares the mismatches of a run with the known faults.
void compare(const GalleryTool& tool, Judged& judged) {
  constexpr std::string_view accuses = "pmusim's encoder, model or oracle";
  std::set<std::string> seen;
  const auto explain = [&](const std::string& question, const Json* mismatch) {
    for (const std::string& wrong : tool.wrong) {
      if (!std::regex_search(question, std::regex(wrong.substr(is_optional(wrong) ? 1 : 0)))) continue;
      if (mismatch != nullptr && seen.insert(wrong).second) judged.examples.push_back(*mismatch);
      return;
    }
    judged.surprises.push_back("mismatch: " + question);
  };
  std::vector<Json> details = judged.report.at("details").get<std::vector<Json>>();
  // Examples are the simplest ones, with counts where there are some.
  std::ranges::stable_sort(details, [](const Json& a, const Json& b) {
    const auto rank = [](const Json& m) {
      return std::pair(!m.at("problem").get<std::string>().empty(), m.at("event").get<std::string>().size());
    };
    return rank(a) < rank(b);
  });
  for (const Json& mismatch : details) {
    explain(mismatch.at("event"), &mismatch);
    if (mismatch.at("diagnosis").get<std::string>().find(accuses) != std::string::npos)
      judged.surprises.push_back("pmusim is accused: " + mismatch.at("event").get<std::string>());
  }
  for (const Json& question : judged.report.at("questions")) {
    if (question.at("verdict") == "mismatch") explain(question.at("question"), nullptr);
  }
  for (const std::string& wrong : tool.wrong) {
    const bool listed = seen.contains(wrong);
    const auto asked = [&](const Json& question) {
      return question.at("verdict") == "mismatch" &&
             std::regex_search(question.at("question").get<std::string>(), std::regex(wrong));
    };
    const Json& questions = judged.report.at("questions");
    if (!is_optional(wrong) && !listed && std::ranges::none_of(questions, asked))
      judged.surprises.push_back("no mismatch: " + wrong);
  }
  if (tool.verdict == "policy" && judged.report.at("mismatches") == 0 && judged.report.at("policies").empty() &&
      tool.wrong.empty())
    judged.surprises.push_back("no policy is reported");
}

Judged judge(const GalleryTool& tool, const fs::path& where, bool quick) {
  const std::string self = program_file().string();
  const std::string encoder =
      fmt::format("{} {} {}", shell_word((where / "gallery").string()), tool.key, shell_word(self));
  Judged judged;
  judged.report = run(fmt::format("{} validate -t {}{} --no-cache --format json --encoder {} 2>/dev/null",
                                  shell_word(self), tool.target, quick ? " --quick" : "", shell_word(encoder)));
  if (!judged.report.is_object())
    judged.surprises.push_back("it was not judged");
  else
    compare(tool, judged);
  return judged;
}

std::string verdict_of(const GalleryTool& tool, const Judged& judged) {
  return judged.surprises.empty() ? tool.verdict : "ANOTHER: " + judged.surprises.front();
}

void print_markdown(std::ostream& out, const std::vector<GalleryTool>& tools, const std::vector<Judged>& all) {
  out << "# Judged encoders\n\n"
         "<!-- Generated by `pmusim validate --gallery --quick --markdown`; do not edit. -->\n\n"
         "Encoders of other projects, written again from their tables and arithmetic for the protocol of\n"
         "[foreign-encoders.md](foreign-encoders.md) (`scripts/adapters/gallery/`), and what `pmusim validate "
         "--quick`\n"
         "says of them. *Faultless*: no mismatch. *Defective*: mismatches in the questions that the defect touches, "
         "and\n"
         "in no other. *Policy*: the tool decides something by itself; it is judged by that, and the report says what\n"
         "it costs.\n\n"
         "    pmusim validate --gallery\n\n"
         "| tool | target | source | verdict | checks | mismatches | requests it does not know |\n"
         "|---|---|---|---|---:|---:|---:|\n";
  const auto number = [](const Judged& judged, const char* key) {
    return judged.report.is_object() ? judged.report.at(key).get<std::uint64_t>() : 0;
  };
  for (std::size_t i = 0; i < tools.size(); ++i) {
    out << fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", tools[i].name, tools[i].target, tools[i].source,
                       verdict_of(tools[i], all[i]), number(all[i], "checks"), number(all[i], "mismatches"),
                       number(all[i], "unsupported"));
  }
  out << "\n## Defects, and what their users would have counted\n";
  for (std::size_t i = 0; i < tools.size(); ++i) {
    if (tools[i].defects.empty()) continue;
    out << fmt::format("\n### {}, {}\n\n", tools[i].name, tools[i].target);
    for (const std::string& defect : tools[i].defects) out << "- " << defect << '\n';
    if (!all[i].examples.empty()) out << "\nQuestions, and what the registers of the answer do:\n\n";
    for (const Json& m : all[i].examples) {
      const std::string counts =
          m.at("problem").get<std::string>().empty()
              ? fmt::format("counted {}, expected {}: ", m.at("counted").dump(), m.at("expected").dump())
              : "";
      out << wrapped_text(
          fmt::format("- `{}`: {}{}", m.at("event").get<std::string>(), counts, m.at("diagnosis").get<std::string>()),
          120);
    }
  }
  out << "\n## Policies\n\n";
  for (std::size_t i = 0; i < tools.size(); ++i) {
    if (!all[i].report.is_object()) continue;
    for (const Json& policy : all[i].report.at("policies"))
      out << fmt::format("- {}: {}: {}\n", tools[i].name, policy.at("policy").get<std::string>(),
                         policy.at("cost").get<std::string>());
  }
}

}  // namespace

int run_gallery(const Arguments& arguments) {
  const fs::path where = folder();
  std::vector<GalleryTool> tools = read_tools(where / "tools.json");
  if (const std::string target = arguments.get<std::string>("target"); target != "all") {
    check_target(target);
    std::erase_if(tools, [&](const GalleryTool& tool) { return tool.target != target; });
    if (tools.empty()) throw UsageError("--gallery: no encoder of {} is in the gallery", target);
  }
  std::vector<Judged> all;
  Progress progress("gallery", tools.size());
  for (const GalleryTool& tool : tools) {
    all.push_back(judge(tool, where, arguments.get<bool>("quick")));
    progress.advance(tool.key);
  }
  progress.finish();
  const bool good = std::ranges::all_of(all, [](const Judged& j) { return j.surprises.empty(); });
  if (arguments.get<bool>("markdown")) {
    print_markdown(std::cout, tools, all);
    return good ? exit_good : exit_mismatch;
  }
  Table table({{"tool", "tool"},
               {"target", "target"},
               {"checks", "checks", true},
               {"mismatches", "mismatches", true},
               {"unsupported", "unsupported", true, Table::Fit::drop},
               {"verdict", "verdict"}});
  for (std::size_t i = 0; i < tools.size(); ++i) {
    const Json& report = all[i].report;
    const auto number = [&](const char* key) { return report.is_object() ? report.at(key).get<std::uint64_t>() : 0; };
    table.row({tools[i].key, tools[i].target, number("checks"), number("mismatches"), number("unsupported"),
               verdict_of(tools[i], all[i])});
  }
  table.print(std::cout, arguments.format());
  return good ? exit_good : exit_mismatch;
}

}  // namespace pmusim::testbench
