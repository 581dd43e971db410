// SPDX-License-Identifier: MIT
// As much of the WebDriver protocol (W3C) as one test needs: starts chromedriver and talks HTTP with it.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include <nlohmann/json.hpp>

namespace web {

using Json = nlohmann::ordered_json;

/// A chromedriver process of our own, ended with this object.
class Driver {
 public:
  explicit Driver(const std::string& program) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("pipe failed");
    pid_ = fork();
    if (pid_ == 0) {
      dup2(ends[1], STDOUT_FILENO);
      close(ends[0]);
      execl(program.c_str(), program.c_str(), "--port=0", static_cast<char*>(nullptr));
      _exit(127);
    }
    close(ends[1]);
    out_ = ends[0];
    // "ChromeDriver was started successfully on port 12345."
    const std::string sign = "on port ";
    std::string said;
    char c = 0;
    while (read(out_, &c, 1) == 1) {
      said += c;
      const auto at = said.rfind(sign);
      if (c == '.' && at != std::string::npos && said.find("successfully") != std::string::npos) {
        port_ = std::atoi(said.c_str() + at + sign.size());
        return;
      }
    }
    throw std::runtime_error("chromedriver did not start: " + said);
  }
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;
  ~Driver() {
    if (pid_ > 0) {
      kill(pid_, SIGTERM);
      waitpid(pid_, nullptr, 0);
    }
    close(out_);
  }

  /// Sends a command and returns its value. Throws what the driver says otherwise.
  Json call(const std::string& method, const std::string& path, const Json& body = Json::object()) const {
    const int connection = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port_));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connection < 0 || connect(connection, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
      throw std::runtime_error("cannot reach chromedriver");
    const timeval patience{30, 0};
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    const std::string content = method == "POST" ? body.dump() : "";
    const std::string request = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" +
                                "Content-Type: application/json\r\nContent-Length: " + std::to_string(content.size()) +
                                "\r\n\r\n" + content;
    if (write(connection, request.data(), request.size()) != static_cast<ssize_t>(request.size()))
      throw std::runtime_error("cannot write to chromedriver");
    const std::string answer = receive(connection);
    close(connection);
    const auto value = Json::parse(answer).at("value");
    if (value.is_object() && value.contains("error"))
      throw std::runtime_error(path + ": " + value.at("message").get<std::string>());
    return value;
  }

 private:
  /// The content of an answer, as long as its head says.
  static std::string receive(int connection) {
    std::string all;
    char block[4096];
    for (std::size_t needed = 0; needed == 0 || all.size() < needed;) {
      const ssize_t count = read(connection, block, sizeof block);
      if (count <= 0) throw std::runtime_error("chromedriver answered too little: " + all);
      all.append(block, static_cast<std::size_t>(count));
      const auto end = all.find("\r\n\r\n");
      const std::string key = "Content-Length:";
      const auto length = all.find(key);
      if (needed == 0 && end != std::string::npos && length < end)
        needed = end + 4 + static_cast<std::size_t>(std::atoll(all.c_str() + length + key.size()));
    }
    return all.substr(all.find("\r\n\r\n") + 4);
  }

  pid_t pid_ = -1;
  int out_ = -1, port_ = 0;
};

}  // namespace web
