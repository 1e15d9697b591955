// Pages in the terminal, by ncurses. A program that compiles this source has --tui.
#define NCURSES_NOMACROS
#include <curses.h>
#include <fmt/format.h>
#include <langinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <utility>

#include "testbench/cli/listing.h"
#include "testbench/support/output.h"

namespace pmusim::testbench {
namespace {

constexpr int escape = 27, backspace = 8, del = 127;

/// The terminal from construction to destruction. ncurses itself restores it when a signal ends or stops the program.
class Terminal {
 public:
  Terminal() {
    // The ellipsis is UTF-8, as in text.
    if (std::setlocale(LC_CTYPE, "") == nullptr || std::string_view(nl_langinfo(CODESET)) != "UTF-8")
      std::setlocale(LC_CTYPE, "C.UTF-8");
    screen_ = newterm(nullptr, stdout, stdin);
    if (screen_ == nullptr) {
      const char* const name = std::getenv("TERM");
      throw UsageError("--tui: TERM is '{}'; expected a terminal that ncurses knows", name == nullptr ? "" : name);
    }
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    set_escdelay(25);  // ms: what the rest of a key's sequence may take
    curs_set(0);
    if (colour()) {
      start_color();
      use_default_colors();
      for (const short one : {COLOR_RED, COLOR_GREEN}) init_pair(one, one, -1);
    }
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal() {
    endwin();
    delscreen(screen_);
  }
  static bool colour() { return has_colors() && shows_colour(STDOUT_FILENO); }

 private:
  SCREEN* screen_;
};

/// What ncurses makes of an escape sequence of colour.h, by its number.
attr_t attribute_of(int code) {
  constexpr int strong = 1, red = 31, green = 32;
  if (code == strong) return A_BOLD;
  return code == red ? COLOR_PAIR(COLOR_RED) : code == green ? COLOR_PAIR(COLOR_GREEN) : A_NORMAL;
}

/// Writes a line with the colours of its escape sequences.
void put(int y, std::string_view line, bool selected) {
  const attr_t base = selected ? A_REVERSE : A_NORMAL;
  attrset(static_cast<int>(base));
  mvaddstr(y, 0, selected ? std::string(static_cast<std::size_t>(COLS), ' ').c_str() : "");
  move(y, 0);
  while (!line.empty()) {
    const std::size_t end = std::min(line.find('\033'), line.size());
    addnstr(line.data(), static_cast<int>(end));
    line.remove_prefix(end);
    if (line.empty()) break;
    attrset(static_cast<int>(base | attribute_of(std::atoi(line.data() + 2))));
    line.remove_prefix(std::min(line.find('m'), line.size() - 1) + 1);
  }
  attrset(A_NORMAL);
}

using Lines = std::vector<std::string>;

void add_lines(Lines& lines, std::string_view text) {
  for (std::size_t end = 0; (end = text.find('\n')) != text.npos; text.remove_prefix(end + 1))
    lines.emplace_back(text.substr(0, end));
}

/// A page in the terminal's present size.
class View {
 public:
  explicit View(TuiPage page) : page_(std::move(page)) {}

  void draw() {
    lay_out();
    erase();
    // The titles are the last of the head, and at least half of the terminal is for the rows.
    const std::size_t height = body_height(), head = head_height();
    for (std::size_t y = 0; y < head; ++y) put(static_cast<int>(y), head_[head_.size() - head + y], false);
    const std::size_t first = begins_[page_.cursor], end = rows() == 0 ? 0 : begins_[page_.cursor + 1];
    if (far_ && (first < top_ || end > top_ + height)) top_ = first - std::min(first, height / 2);
    far_ = false;
    top_ = std::min(top_, first);
    if (end > top_ + height) top_ = end - height;
    for (std::size_t y = 0; y < height && top_ + y < body_.size(); ++y) {
      const std::size_t line = top_ + y;
      put(static_cast<int>(head + y), body_[line], line >= first && line < end);
    }
  }
  void move_by(std::ptrdiff_t by) {
    const auto last = static_cast<std::ptrdiff_t>(rows()) - 1;
    const auto to = std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(page_.cursor) + by, 0, std::max(last, {}));
    page_.cursor = static_cast<std::size_t>(to);
  }
  [[nodiscard]] std::ptrdiff_t all() const { return static_cast<std::ptrdiff_t>(rows()); }
  [[nodiscard]] std::ptrdiff_t screenful() const { return static_cast<std::ptrdiff_t>(body_height()); }
  /// Moves to the next row that has the words, also where a row is cut. False if there is none.
  bool find(const std::string& words) {
    const Table::Text text = page_.table.text(std::numeric_limits<int>::max(), false);
    for (std::size_t i = 1; i <= rows(); ++i) {
      const std::size_t row = (page_.cursor + i) % rows();
      if (text.rows[row].find(words) == std::string::npos) continue;
      page_.cursor = row;
      far_ = true;
      return true;
    }
    return false;
  }
  [[nodiscard]] std::optional<TuiPage> open() const {
    return page_.open && rows() != 0 ? page_.open(page_.cursor) : std::nullopt;
  }
  [[nodiscard]] std::string place() const {
    return fmt::format("{} of {}", rows() == 0 ? 0 : page_.cursor + 1, rows());
  }
  [[nodiscard]] bool opens() const { return page_.open != nullptr; }

 private:
  static constexpr int narrowest = 20;

  /// For the terminal's width, which may have changed.
  void lay_out() {
    const auto width = static_cast<std::size_t>(std::max(COLS, narrowest));
    if (width == std::exchange(width_, width)) return;
    const Table::Text text = page_.table.text(width, Terminal::colour());
    head_.clear();
    body_.clear();
    begins_.clear();
    for (const std::string& line : page_.head) add_lines(head_, wrapped_text(line, width));
    add_lines(head_, text.note);
    add_lines(head_, text.titles);
    for (const std::string& row : text.rows) {
      begins_.push_back(body_.size());
      add_lines(body_, row);
    }
    begins_.push_back(body_.size());
  }
  [[nodiscard]] std::size_t rows() const { return begins_.size() - 1; }
  [[nodiscard]] std::size_t head_height() const {
    return std::min(head_.size(), static_cast<std::size_t>(std::max(LINES - 1, 0)) / 2);
  }
  [[nodiscard]] std::size_t body_height() const {
    return static_cast<std::size_t>(std::max(LINES - 1 - static_cast<int>(head_height()), 1));
  }

  TuiPage page_;
  std::size_t width_ = 0;
  Lines head_, body_;
  std::vector<std::size_t> begins_;  ///< the first line of each row, and the end
  std::size_t top_ = 0;
  bool far_ = true;  ///< the cursor was not moved by a key: it is shown with what surrounds it
};

class Browser {
 public:
  explicit Browser(std::vector<TuiPage> pages) {
    for (TuiPage& page : pages) views_.emplace_back(std::move(page));
  }
  void run() {
    while (!views_.empty()) {
      draw();
      errno = 0;
      const int key = getch();
      if (key == ERR && errno != EINTR) return;  // the terminal is gone
      obey(key);
    }
  }

 private:
  void draw() {
    View& view = views_.back();
    view.draw();
    const std::string_view enter = view.opens() ? "  Enter: instructions" : "",
                           q = views_.size() > 1 ? "back" : "leave";
    const std::string keys = fmt::format("{}{}  q: {}  /: search  n: again", view.place(), enter, q);
    const std::string text = message_.empty() ? keys : message_;
    put(LINES - 1, std::string_view(text).substr(0, static_cast<std::size_t>(std::max(COLS - 1, 0))), false);
    message_.clear();
    refresh();
  }
  void obey(int key) {
    View& view = views_.back();
    const std::pair<int, std::ptrdiff_t> moves[] = {{KEY_UP, -1},
                                                    {KEY_DOWN, 1},
                                                    {KEY_PPAGE, -view.screenful()},
                                                    {KEY_NPAGE, view.screenful()},
                                                    {KEY_HOME, -view.all()},
                                                    {KEY_END, view.all()}};
    for (const auto& [of_move, by] : moves) {
      if (key == of_move) view.move_by(by);
    }
    if (is_enter(key)) {
      if (auto page = view.open())
        views_.emplace_back(std::move(*page));
      else if (view.opens())
        message_ = "no function with instructions";
    }
    if (key == 'n' || (key == '/' && ask_words())) search();
    if (key == 'q' || key == escape) views_.pop_back();
  }
  static bool is_enter(int key) { return key == KEY_ENTER || key == '\r' || key == '\n'; }
  /// Reads the words to search in the last line. False if the user leaves it.
  bool ask_words() {
    std::string words;
    for (;;) {
      put(LINES - 1, '/' + words, false);
      clrtoeol();
      refresh();
      const int key = getch();
      if (key == ERR || key == escape) return false;
      if (is_enter(key)) break;
      if (key == KEY_BACKSPACE || key == backspace || key == del) {
        if (words.empty()) return false;
        words.pop_back();
      } else if (key >= ' ' && key <= std::numeric_limits<unsigned char>::max()) {
        words += static_cast<char>(key);
      }
    }
    if (!words.empty()) words_ = words;
    return true;
  }
  void search() {
    if (words_.empty()) return;
    if (!views_.back().find(words_)) message_ = fmt::format("no row has '{}'", words_);
  }

  std::vector<View> views_;
  std::string words_, message_;
};

/// Takes the whole terminal until the user leaves, and restores it.
void show_in_terminal(std::vector<TuiPage> pages) {
  const Terminal terminal;
  Browser(std::move(pages)).run();
}

[[maybe_unused]] const ShowPages registered = show_pages() = show_in_terminal;

}  // namespace
}  // namespace pmusim::testbench
