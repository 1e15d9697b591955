// The files of the laboratory's page as a server sends them.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "testbench/lab/bindings/json.h"

namespace pmusim::lab {

/// By name below the page's address; the page itself has no name. `programs` is what the page offers; `beginning` is
/// how it begins: `target`, of the first program that it runs, or empty; `events`, the first event by target. Throws
/// std::runtime_error that names a file that is missing.
[[nodiscard]] std::map<std::string, std::string> page_files(const std::filesystem::path& folder, const Json& programs,
                                                            const Json& beginning);

}  // namespace pmusim::lab
