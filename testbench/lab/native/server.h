// Serves the laboratory's page to a browser on this machine, and answers its requests with the models.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "testbench/lab/native/programs.h"

namespace pmusim::lab {

/// Listens on the loopback, on a port that the system chooses. Every address begins with a random token, and requests
/// from pages of other origins or under other host names are refused.
class Server {
 public:
  /// `folder` has the page's sources, and `beginning` says how it begins: `target`, of the first program that it
  /// runs, or empty; `events`, the first event by target. Throws std::exception if there is no page or no port.
  Server(const std::filesystem::path& folder, Programs programs, const Json& beginning);
  ~Server();
  [[nodiscard]] std::string address() const;
  /// Serves until stop(), which another thread calls; that thread waits until the server is running.
  void serve();
  void stop();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace pmusim::lab
