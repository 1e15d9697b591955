#include "testbench/lab/native/server.h"

#include <fmt/format.h>
#include <httplib.h>

#include <bit>
#include <chrono>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>
#include <thread>

#include "testbench/lab/bindings/answers.h"
#include "testbench/lab/bindings/laboratory.h"

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

/// By name below the page's address; the page itself has no name. `programs` is what the page offers; `beginning` is
/// how it begins: `target`, of the first program that it runs, or empty; `events`, the first event by target. Throws
/// std::runtime_error that names a file that is missing.
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

namespace fs = std::filesystem;

constexpr std::size_t most_pages = 8;              ///< open at once; the one opened first is forgotten
constexpr std::size_t most_upload = 512ull << 20;  ///< bytes of an activity file

std::string random_token() {
  std::random_device device;
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", device());
  return token;
}

/// The rows follow the answer: `at` is their offset.
class Attached final : public Rows {
 public:
  std::uint64_t place(const void* data, std::size_t size) override {
    const std::uint64_t at = bytes.size();
    bytes.append(static_cast<const char*>(data), size);
    return at;
  }
  std::string bytes;
};

/// The length of the JSON text, the text filled up with spaces to whole words, and the rows.
std::string body_of(const Json& answer, const std::string& rows) {
  static_assert(std::endian::native == std::endian::little, "the page reads words of this byte order");
  std::string text = answer.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.append((4 - text.size() % 4) % 4, ' ');
  const auto size = static_cast<std::uint32_t>(text.size());
  return std::string(reinterpret_cast<const char*>(&size), sizeof size) + text + rows;
}

}  // namespace

struct Server::Parts {
  httplib::Server http;
  std::string token = random_token(), host;
  std::map<std::string, std::string> files;  ///< of the page, by name
  Programs programs;
  std::mutex mutex;
  std::map<std::string, Laboratory> pages;
  std::vector<std::string> opened;  ///< their names, the oldest first

  explicit Parts(Programs all) : programs(std::move(all)) {}

  /// Empty, or why a request is refused.
  [[nodiscard]] std::string refusal(const httplib::Request& request) const {
    const std::string name = request.get_header_value("Host");
    if (name != host && name != "localhost" + host.substr(host.find(':')))
      return "the laboratory is served to this machine's browser only; expected the address that pmusim lab printed";
    if (request.has_header("Origin") && request.get_header_value("Origin") != "http://" + name)
      return "a page of another origin cannot use the laboratory";
    if (!request.path.starts_with("/" + token + "/"))
      return "expected the address that pmusim lab printed, with its token";
    return "";
  }
  Laboratory& page(const httplib::Request& request) {
    const std::string name = request.get_param_value("page");
    if (pages.contains(name)) return pages[name];
    if (opened.size() == most_pages) {
      pages.erase(opened.front());
      opened.erase(opened.begin());
    }
    opened.push_back(name);
    return pages[name];
  }
  Json answer(const httplib::Request& http_request, Rows& rows) {
    const Json request = Json::parse(http_request.body);
    const std::string op = request.at("op");
    Laboratory& laboratory = page(http_request);
    if (op != "load" && op != "listing") return laboratory.answer(request, rows);
    const models::Target& target = target_of(request);
    const Program& program = programs.find(request.at("program"), std::string(target.name));
    if (op == "listing") return listing_of(program, target);
    laboratory.load(record(target, program.traces, program.region).activity);
    return Json::object();
  }
  /// Runs `make` for a request, one at a time, and sends its answer, or the error.
  template <class Make>
  void reply(httplib::Response& response, Make make) {
    const std::lock_guard lock(mutex);
    Attached rows;
    Json answer;
    try {
      answer = make(rows);
    } catch (const std::exception& error) {
      rows.bytes.clear();
      answer = Json{{"error", error.what()}};
    }
    response.set_content(body_of(answer, rows.bytes), "application/octet-stream");
  }
  void route() {
    const std::string root = "/" + token + "/";
    for (const auto& [name, content] : files) {
      const char* const type = name.ends_with(".js")    ? "text/javascript"
                               : name.ends_with(".css") ? "text/css"
                                                        : "text/html";
      http.Get(root + name, [&content = content, type = std::string(type)](const auto&, httplib::Response& response) {
        response.set_content(content, type + "; charset=utf-8");
      });
    }
    http.Post(root + "call", [this](const httplib::Request& request, httplib::Response& response) {
      reply(response, [&](Rows& rows) { return answer(request, rows); });
    });
    http.Post(root + "open", [this](const httplib::Request& request, httplib::Response& response) {
      reply(response, [&](Rows&) { return page(request).open(request.body, request.get_param_value("name")); });
    });
  }
};

Server::Server(const fs::path& folder, Programs programs, const Json& beginning)
    : parts_(std::make_unique<Parts>(std::move(programs))) {
  httplib::Server& http = parts_->http;
  parts_->files = page_files(folder, parts_->programs.catalogue(), beginning);
  const int port = http.bind_to_any_port("127.0.0.1");
  if (port <= 0) throw std::runtime_error("cannot listen on 127.0.0.1");
  parts_->host = fmt::format("127.0.0.1:{}", port);
  http.set_payload_max_length(most_upload);
  http.set_keep_alive_timeout(1);
  http.set_tcp_nodelay(true);
  http.set_default_headers({{"Cache-Control", "no-store"},
                            {"X-Content-Type-Options", "nosniff"},
                            {"Referrer-Policy", "no-referrer"},
                            {"Content-Security-Policy",
                             "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
                             "img-src 'self' blob: data:"}});
  http.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
    const std::string why = parts_->refusal(request);
    if (why.empty()) return httplib::Server::HandlerResponse::Unhandled;
    response.status = 403;
    response.set_content(why + "\n", "text/plain; charset=utf-8");
    return httplib::Server::HandlerResponse::Handled;
  });
  parts_->route();
}

Server::~Server() = default;

std::string Server::address() const { return fmt::format("http://{}/{}/", parts_->host, parts_->token); }

void Server::serve() { parts_->http.listen_after_bind(); }

void Server::stop() {
  using namespace std::chrono_literals;
  while (!parts_->http.is_running()) std::this_thread::sleep_for(1ms);  // until then the library would ignore it
  parts_->http.stop();
}

}  // namespace pmusim::lab
