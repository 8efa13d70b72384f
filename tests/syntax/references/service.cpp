#include <vector>
#include "net.h"
using namespace std;
using net::Client;
namespace alias = a::b;
namespace web {
class Svc : public Base<int>, private ns::Other {
  public:
    Svc(std::shared_ptr<Repo> repo, const Opt& o) : repo_(repo), Base(o) {}
    User* load(const std::string& id) override;
  private:
    std::unique_ptr<Repo> repo_;
    net::Client client_;
    Foo *p = nullptr;
};
User* Svc::load(const std::string& id) {
    auto u = repo_->find(id);
    auto x = std::make_unique<Foo>(1);
    Foo y(1, 2);
    Bar z{3};
    auto* q = new ns::Baz(1);
    this->client_.send(u);
    ns::Util::run<int>(x);
    Base::load(id);
    std::sort(a.begin(), a.end(), compare);
    helper(u);
    for (auto& i : items) i.go();
    return static_cast<User*>(u)->self();
}
template <typename T> T make(T t) { return T(t); }
}
