// pmusim completion: shell scripts that call the command itself for completions.
#include <fmt/format.h>

#include <iostream>

#include "testbench/cli/command.h"
#include "testbench/cli/completion.h"
#include "testbench/support/arguments.h"

namespace pmusim::testbench {
namespace {

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

}  // namespace

int run_completion(const std::vector<std::string>& list) {
  // Words after `--` belong to another command line; they are not options of this one.
  if (list.size() >= 2 && list[0] == "--words" && list[1] == "--") {
    for (const std::string& word : completions({list.begin() + 2, list.end()})) std::cout << word << '\n';
    return exit_good;
  }
  const Arguments arguments(list, Arguments::Description("options"), completion_help, false);
  if (arguments.help_shown()) return exit_good;
  if (arguments.positional().size() > 1)
    throw UsageError("unexpected '" + arguments.positional()[1] + "'; see pmusim completion --help");
  const std::string wanted = arguments.positional().empty() ? "bash" : arguments.positional()[0];
  for (const Shell& shell : shells) {
    if (shell.name != wanted) continue;
    std::cout << shell.script;
    return exit_good;
  }
  throw UsageError(fmt::format("no completion for '{}'; there are: bash, zsh, fish", wanted));
}

}  // namespace pmusim::testbench
