#include "testbench/lab/native/page.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace pmusim::lab {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error(fmt::format("{}: cannot be opened; expected the laboratory's page", file.string()));
  return {std::istreambuf_iterator<char>(in), {}};
}

/// JSON inside a page: no text in it ends the element.
std::string script(const std::string& attributes, const Json& value) {
  std::string text = value.dump();
  for (std::size_t at = text.find("</"); at != text.npos; at = text.find("</", at + 3)) text.insert(at + 1, "\\");
  return fmt::format("<script {}>{}</script>\n", attributes, text);
}

std::string data(const char* id, const Json& value) {
  return script(fmt::format("type=\"application/json\" id=\"{}\"", id), value);
}

void put(std::string& page, const std::string& place, const std::string& part) {
  const std::size_t at = page.find(place);
  if (at == page.npos) throw std::runtime_error("index.html: expected " + place);
  page.replace(at, place.size(), part);
}

}  // namespace

std::map<std::string, std::string> page_files(const fs::path& folder, const Json& programs, const Json& beginning) {
  std::map<std::string, std::string> files;
  Json modules = Json::object();
  for (const auto& entry : fs::directory_iterator(folder / "page")) {
    const std::string name = entry.path().filename().string();
    if (name == "index.html") continue;
    files["page/" + name] = read(entry.path());
    if (name.ends_with(".js")) modules["lab/" + name] = "./page/" + name;
  }
  std::string page = read(folder / "page/index.html");
  put(page, "<!-- style -->", "<link rel=\"stylesheet\" href=\"page/style.css\">");
  put(page, "<!-- data -->",
      data("programs", programs) + data("lessons", Json::parse(read(folder / "lessons/lessons.json"))) +
          data("server", beginning));
  put(page, "<!-- modules -->", script("type=\"importmap\"", {{"imports", modules}}));
  files[""] = page;
  return files;
}

}  // namespace pmusim::lab
