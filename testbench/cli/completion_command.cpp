// pmusim completion: a bash completion script made from the command table, so that the two cannot differ.
#include <iostream>

#include "models/targets.h"
#include "testbench/cli/arguments.h"
#include "testbench/cli/command.h"

namespace pmusim::testbench {
namespace {

constexpr HelpText help{"pmusim completion",
                        "Prints a completion script for bash: commands, options, targets, event names after -e and files.",
                        "  pmusim completion > ~/.local/share/bash-completion/completions/pmusim"};

constexpr const char* body = R"script(
_pmusim() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} target= i
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "$_pmusim_commands --help --version" -- "$word")); return
  fi
  for ((i = 2; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in -t|--target) target=${COMP_WORDS[i+1]};; esac
  done
  case $previous in
    -t|--target) COMPREPLY=($(compgen -W "$_pmusim_targets all" -- "$word")); return;;
    -e|--event) COMPREPLY=($(compgen -W "$(pmusim events -t "${target:-all}" --format csv 2>/dev/null | cut -d, -f2 | grep -v '^ ')" -- "${word^^}")); return;;
    --set) COMPREPLY=($(compgen -S= -W "$(pmusim targets -t "${target:-all}" --parameters --format csv 2>/dev/null | cut -d, -f2)" -- "$word")); return;;
    --fetch) COMPREPLY=($(compgen -W "demand prefetch both" -- "$word")); return;;
    --format) COMPREPLY=($(compgen -W "text json csv" -- "$word")); return;;
    --isa) COMPREPLY=($(compgen -W "alpha ppc i386 ia64" -- "$word")); return;;
  esac
  case $word in
    -*) COMPREPLY=($(compgen -W "$(pmusim "$command" --help 2>/dev/null | grep -o -- '--[a-z-]*' | sort -u)" -- "$word"));;
    *) if [ "$command" = trace ] && [ "$COMP_CWORD" -eq 2 ]; then
         COMPREPLY=($(compgen -W "info dump import export capture" -- "$word"))
       elif [ "$command" = activity ] && [ "$COMP_CWORD" -eq 2 ]; then
         COMPREPLY=($(compgen -W "record info dump check" -- "$word"))
       else
         COMPREPLY=($(compgen -f -- "$word"))
       fi;;
  esac
}
complete -o filenames -F _pmusim pmusim
)script";

}  // namespace

int run_completion(const std::vector<std::string>& list) {
  const Arguments arguments(list, Arguments::Description("options"), help, false);
  if (arguments.help_shown()) return exit_good;
  if (!arguments.positional().empty()) throw UsageError("unexpected '" + arguments.positional()[0] + "'; see pmusim completion --help");
  std::cout << "# bash completion for pmusim\n_pmusim_commands=\"";
  for (const Command& command : commands()) std::cout << command.name << ' ';
  std::cout << "\"\n_pmusim_targets=\"";
  for (const models::Target& target : models::targets()) std::cout << target.name << ' ';
  std::cout << "\"\n" << body;
  return exit_good;
}

}  // namespace pmusim::testbench
