// Talks to sockets.
#include <string>
#include "net/socket.hpp"

using namespace std;
using Text = std::string;

#define CHECK(x) assert(x)

namespace net {
namespace detail {
int helper(int a) { return a; }
}

enum class Mode { Read, Write };

/// A connection.
template <typename T>
class Connection : public Base<T> {
 public:
  explicit Connection(int fd) : fd_(fd) {}
  ~Connection();
  bool send(const std::string& data);
  T& operator[](size_t i) { return items_[i]; }
  static constexpr int kLimit = 3;

 private:
  int fd_;
};

struct Options {
  int timeout = 3;
  void reset() { timeout = 0; }
};

template <typename T>
bool Connection<T>::send(const std::string& data) {
  auto local = [](int x) { return x; };
  return true;
}

Connection<int>::~Connection() {}
}  // namespace net

template <typename T>
T largest(T a, T b) {
  return a > b ? a : b;
}

std::ostream& operator<<(std::ostream& out, const net::Options& o) {
  return out;
}

typedef std::vector<int> Numbers;
const int kMax = 7;

int main() { return 0; }
