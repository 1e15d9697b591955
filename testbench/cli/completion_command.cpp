// pmusim completion: shell scripts that call the command itself for completions.

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "models/targets.h"
#include "pmusim/encoder/encoder.h"
#include "pmusim/trace/reader.h"
#include "testbench/cli/command.h"
#include "testbench/cli/perf_names.h"
#include "testbench/store/data_folder.h"
#include "testbench/support/arguments.h"

namespace pmusim::testbench {
namespace {

using Words = std::vector<std::string>;

bool begins_with(const std::string& word, const std::string& beginning) {
  return same_word(word.substr(0, beginning.size()), beginning);
}

Words target_names() {
  Words names;
  for (const models::Target& target : models::targets()) names.emplace_back(target.name);
  return names;
}

/// The target named on the line; otherwise all targets.
Words targets_on(const Words& words) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if ((words[i] == "-t" || words[i] == "--target") && models::find_target(words[i + 1]) != nullptr)
      return {words[i + 1]};
    if (words[i].starts_with("--target=")) return {words[i].substr(9)};
  }
  return target_names();
}

/// The options in the help of a command, or of a nested command (`trace cut`).
Words options_of(const std::string& command, const std::string& part) {
  std::ostringstream text;
  std::streambuf* const output = std::cout.rdbuf(text.rdbuf());
  try {
    std::vector<std::string> words{command};
    if (!part.empty()) words.push_back(part);
    words.emplace_back("--help");
    dispatch(words);
  } catch (const std::exception&) {  // an unknown command has no options
  }
  std::cout.rdbuf(output);
  std::set<std::string> names;
  const std::string help = text.str();
  for (std::size_t at = help.find("--"); at != std::string::npos; at = help.find("--", at + 1)) {
    const std::size_t end = help.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", at);
    const std::string name = help.substr(at, end - at);
    if (name.size() > 3 && !name.ends_with('-')) names.insert(name);
  }
  return {names.begin(), names.end()};
}

/// Completes `NAME`, and after a colon its unit masks and attributes; in a list of events, the last event.
Words events(const Words& targets, const std::string& word) {
  const std::size_t comma = word.rfind(',');
  const std::string before = comma == std::string::npos ? "" : word.substr(0, comma + 1);
  const std::string last = word.substr(before.size());
  const std::size_t colon = last.rfind(':');
  const std::string name = last.substr(0, last.find(':'));
  Words found;
  for (const std::string_view generic : generic_names()) found.push_back(before + std::string(generic));
  for (const std::string& target : targets) {
    const auto list = encoder::events(target);
    if (!list) continue;
    for (const encoder::EventInfo& event : *list) {
      if (colon == std::string::npos) {
        found.push_back(before + event.name);
        continue;
      }
      if (!(begins_with(event.name, name) && event.name.size() == name.size())) continue;
      const std::string kept = before + last.substr(0, colon + 1);
      for (const encoder::UnitMaskInfo& mask : event.unit_masks) found.push_back(kept + mask.name);
      for (const std::string& attribute : event.attributes) found.push_back(kept + attribute);
    }
  }
  return found;
}

/// Completes `NAME=`, and after it the choices, if there are any.
Words parameters(const Words& targets, const std::string& word) {
  const std::size_t equals = word.find('=');
  Words found;
  for (const std::string& target : targets) {
    const models::Target* const model = models::find_target(target);
    if (model == nullptr) continue;
    const models::Parameters all = model->parameters();
    for (const models::ParameterInfo& info : all.infos()) {
      const std::string name = std::string(info.name) + '=';
      if (equals == std::string::npos) {
        found.push_back(name);
      } else if (word.substr(0, equals + 1) == name) {
        for (const models::Choice& choice : info.choices) found.push_back(name + std::string(choice.name));
      }
    }
  }
  return found;
}

/// The names of the shipped traces that one of the targets runs.
Words traces_for(const Words& targets) {
  Words names;
  for (const std::filesystem::path& file : shipped_traces()) {
    const trace::Isa isa = trace::open(file)->info().isa;
    const bool runs = std::ranges::any_of(targets, [&](const std::string& target) {
      const models::Target* const model = models::find_target(target);
      return model != nullptr && model->isa == isa;
    });
    if (runs) names.push_back(file.stem().string());
  }
  return names;
}

Words values_of(const std::string& option, const Words& words, const std::string& word) {
  if (option == "-t" || option == "--target") {
    Words names = target_names();
    const std::string& command = words.front();
    if (command == "targets" || command == "events" || command == "encode" || command == "validate")
      names.emplace_back("all");
    return names;
  }
  if (option == "-e" || option == "--event" || option == "--statistic") return events(targets_on(words), word);
  if (option == "--trace") return traces_for(targets_on(words));
  if (option == "--set") return parameters(targets_on(words), word);
  if (option == "--format" && (words.front() == "events" || words.front() == "list"))
    return {"text", "json", "csv", "perf-json", "showevtinfo"};
  if (option == "--format") return {"text", "json", "csv"};
  if (option == "--from") return {"execlog", "gem5", "lackey", "perf"};
  if (option == "--gap") return {"switch", "interrupt", "error"};
  if (option == "--as") return {"processes", "threads"};
  if (option == "--isa") return {"alpha", "ppc", "i386", "ia64"};
  if (option == "--fetch") return {"demand", "prefetch", "both"};
  return {};
}

Words candidates(const Words& words) {
  const std::string& word = words.back();
  Words names;
  for (const Command& one : commands()) names.emplace_back(one.name);
  if (words.size() == 1) {
    names.insert(names.end(), {"help", "--help", "--version", "stat", "list"});
    return names;
  }
  const std::string &command = words.front(), &before = words[words.size() - 2];
  if (command == "help") return words.size() == 2 ? names : candidates({words.begin() + 1, words.end()});
  if (const std::size_t equals = word.find('='); word.starts_with("--") && equals != std::string::npos) {
    Words found = values_of(word.substr(0, equals), words, word.substr(equals + 1));
    for (std::string& value : found) value.insert(0, word, 0, equals + 1);
    return found;
  }
  const auto known = std::ranges::find(commands(), command, &Command::name);
  std::span<const Command> parts;
  if (known != commands().end() && known->body == nullptr) parts = known->parts();
  if (word.starts_with('-')) return options_of(command, !parts.empty() && words.size() > 2 ? words[1] : "");
  if (before.starts_with('-')) return values_of(before, words, word);
  if (command == "lab") return traces_for(targets_on(words));
  if (words.size() != 2) return {};
  Words found;
  for (const Command& part : parts) found.emplace_back(part.name);
  if (command == "completion") return {"bash", "zsh", "fish"};
  return found;
}

constexpr HelpText completion_help{
    "pmusim completion [bash|zsh|fish]",
    "Prints a completion script: commands, options, targets, events with their unit masks and attributes, parameters\n"
    "with their choices, and files. The Debian package installs all three scripts.",
    "  pmusim completion > ~/.local/share/bash-completion/completions/pmusim\n"
    "  pmusim completion zsh > ~/.zfunc/_pmusim   fpath+=~/.zfunc before compinit\n"
    "  pmusim completion fish > ~/.config/fish/completions/pmusim.fish"};

// Bash splits words at = and :. The script therefore splits the line at spaces, and removes from each answer the part
// of the word before the last = or :.
constexpr const char* bash = R"script(# bash completion for pmusim
_pmusim() {
  local line=${COMP_LINE:0:COMP_POINT} words word kept
  read -ra words <<<"$line"
  case $line in *' ') words+=('');; esac
  word=${words[${#words[@]}-1]}
  kept=${word%"${word##*[=:]}"}
  mapfile -t COMPREPLY < <(pmusim completion --words -- "${words[@]:1}" 2>/dev/null)
  if [ ${#COMPREPLY[@]} -eq 0 ]; then
    mapfile -t COMPREPLY < <(compgen -f -- "${word##*[=:]}")
    compopt -o filenames 2>/dev/null
    return
  fi
  COMPREPLY=("${COMPREPLY[@]#"$kept"}")
  case ${COMPREPLY[0]} in *[=:]) compopt -o nospace 2>/dev/null;; esac
}
complete -F _pmusim pmusim
)script";

constexpr const char* zsh = R"script(#compdef pmusim
# zsh completion for pmusim
_pmusim() {
  local -a found
  found=(${(f)"$(pmusim completion --words -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( $#found )); then
    compadd -M 'm:{a-z}={A-Z}' -a found
  else
    _files
  fi
}
_pmusim "$@"
)script";

constexpr const char* fish = R"script(# fish completion for pmusim
function __pmusim_words
  set -l words (commandline -opc) (commandline -ct)
  pmusim completion --words -- $words[2..-1] 2>/dev/null
end
complete -c pmusim -f -n 'test (count (__pmusim_words)) -gt 0' -a '(__pmusim_words)'
complete -c pmusim -F -n 'test (count (__pmusim_words)) -eq 0'
)script";

struct Shell {
  std::string_view name;
  const char* script;
};
constexpr Shell shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};

int run_completion(const Arguments& arguments) {
  const std::string wanted = arguments.positional().empty() ? "bash" : arguments.positional()[0];
  for (const Shell& shell : shells) {
    if (shell.name != wanted) continue;
    std::cout << shell.script;
    return exit_good;
  }
  throw UsageError("no completion for '{}'; there are: bash, zsh, fish", wanted);
}

}  // namespace

int print_completions(const std::vector<std::string>& words) {
  std::set<std::string> found;
  for (std::string& one : words.empty() ? Words() : candidates(words)) {
    if (begins_with(one, words.back())) found.insert(std::move(one));
  }
  for (const std::string& one : found) std::cout << one << '\n';
  return exit_good;
}

const CommandBody completion_body{completion_help, no_options, run_completion, 1, ""};

}  // namespace pmusim::testbench
