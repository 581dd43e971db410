// SPDX-License-Identifier: MIT
// drive_page FOLDER CHROMEDRIVER CHROMIUM: writes a page, opens it in a headless browser, moves the pointer over the
// middle of the picture and checks the time and the values that are shown, at desktop and phone width; no message on
// the console, nothing wider than the window.
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <fidelity/report/html_tube.hpp>
#include <fidelity/validation/tube.hpp>

#include "web_driver.hpp"

namespace fd = fidelity;
using web::Json;

namespace {

int failures = 0;
void check(bool holds, const std::string& what) {
  std::printf("%s %s\n", holds ? "ok    " : "FAILED", what.c_str());
  failures += holds ? 0 : 1;
}

Json capabilities(const std::string& browser, const std::string& folder) {
  const Json arguments = {"--headless",
                          "--no-sandbox",
                          "--disable-gpu",
                          "--no-first-run",
                          "--disable-background-networking",
                          "--disable-component-update",
                          "--disable-sync",
                          "--disable-dev-shm-usage",
                          "--user-data-dir=" + folder + "/profile"};
  return {{"capabilities",
           {{"alwaysMatch",
             {{"goog:chromeOptions", {{"binary", browser}, {"args", arguments}}},
              {"goog:loggingPrefs", {{"browser", "ALL"}}}}}}}};
}

/// The middle of the first picture that is shown, and what the page says when the pointer is there.
constexpr const char* middle_script =
    "const s=[...document.querySelectorAll('svg.values')].find(e=>e.getBoundingClientRect().width>0);"
    "s.scrollIntoView();const g=s.querySelector('g.plot'),r=s.getBoundingClientRect(),v=s.viewBox.baseVal;"
    "const[a,b]=g.dataset.x.split(' ').map(Number),[t,u]=g.dataset.y.split(' ').map(Number);"
    "return [Math.round(r.left+(a+b)/2*r.width/v.width),Math.round(r.top+(t+u)/2*r.height/v.height)]";
constexpr const char* readout_script =
    "const b=document.querySelector('.readout');return b&&!b.hidden?b.textContent:''";

void drive(const web::Driver& driver, const std::string& session, const std::string& page) {
  const auto run = [&](const char* script) {
    return driver.call("POST", session + "/execute/sync", {{"script", script}, {"args", Json::array()}});
  };
  for (const int width : {1280, 500}) {  // a window is not narrower than 500 without emulation
    driver.call("POST", session + "/window/rect", {{"width", width}, {"height", 1000}});
    driver.call("POST", session + "/url", {{"url", "file://" + page}});
    std::string shown;
    for (int attempt = 0; shown.empty() && attempt < 30; ++attempt) {  // the page may not have its final layout at once
      if (attempt > 0) std::this_thread::sleep_for(std::chrono::milliseconds(100));
      const Json place = run(middle_script);
      const Json move = {{{"type", "pointerMove"},
                          {"duration", 0},
                          {"x", place.at(0).get<int>() + attempt % 2},  // a pointer that stays tells nobody
                          {"y", place.at(1)}}};
      driver.call(
          "POST", session + "/actions",
          {{"actions",
            {{{"type", "pointer"}, {"id", "mouse"}, {"parameters", {{"pointerType", "mouse"}}}, {"actions", move}}}}});
      shown = run(readout_script).get<std::string>();
    }
    const auto says = [&](const std::string& text) {
      check(shown.find(text) != std::string::npos, std::to_string(width) + " px: '" + text + "' in '" + shown + "'");
    };
    // Half of 0 to 10 s to a pixel; 2 t + 10 and 0.5 more there.
    const double time = std::strtod(shown.c_str(), nullptr);
    check(time > 4.9 && time < 5.1, std::to_string(width) + " px: the time is " + std::to_string(time));
    for (const auto& [name, offset] : {std::pair{"reference: ", 10.0}, std::pair{"<test> & co: ", 10.5}}) {
      says(name);
      const auto at = shown.find(name);
      const double value =
          at == std::string::npos ? 0 : std::strtod(shown.c_str() + at + std::string(name).size(), nullptr);
      check(std::abs(value - (2 * time + offset)) < 0.03, name + std::to_string(value));
    }
    check(run("return document.documentElement.scrollWidth<=innerWidth").get<bool>(),
          "nothing is wider than the window");
  }
  for (const auto& entry : driver.call("POST", session + "/se/log", {{"type", "browser"}}))
    check(false, "on the console: " + entry.dump());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::string folder = argv[1], program = argv[2], browser = argv[3];
  if (!std::filesystem::exists(program) || !std::filesystem::exists(browser)) {
    std::puts("skipped: no chromedriver or no chromium");
    return 0;
  }
  try {
    std::vector<double> times, low, high;
    for (int k = 0; k <= 1000; ++k) {
      times.push_back(0.01 * k);
      low.push_back(10 + 2 * times.back());
      high.push_back(low.back() + 0.5);
    }
    const fd::Series<double, double> reference(times, low), test(times, high);
    const auto result = fd::check_tube(test, reference, {.relative = 0.05, .unit = "bar"});
    // The name of the line comes from the data and must stay text.
    std::string page = fd::to_html(result, test, reference);
    for (auto at = page.find("data-name=\"test\""); at != std::string::npos; at = page.find("data-name=\"test\"", at))
      page.replace(at, 16, "data-name=\"" + fd::detail::xml_text("<test> & co") + "\"");
    const std::string path = folder + "/page.html";
    fd::detail::write_file(path, [&](std::ostream& file) { file << page; });

    const web::Driver driver(program);
    const Json opened = driver.call("POST", "/session", capabilities(browser, folder));
    const std::string session = "/session/" + opened.at("sessionId").get<std::string>();
    try {
      drive(driver, session, std::filesystem::absolute(path).string());
    } catch (...) {
      driver.call("DELETE", session);
      throw;
    }
    driver.call("DELETE", session);
  } catch (const std::exception& error) {
    std::printf("FAILED %s\n", error.what());
    return 1;
  }
  return failures == 0 ? 0 : 1;
}
