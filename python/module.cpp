// SPDX-License-Identifier: GPL-3.0-or-later
// The public header for Python: warpspan._warpspan, which the package beside it makes convenient.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <chrono>
#include <future>
#include <warpspan/warpspan.hpp>

namespace py = pybind11;

namespace {

constexpr std::chrono::milliseconds between_looks{50};  // for Ctrl-C

// Calls it without Python's lock, in another thread, while this one looks for Ctrl-C.
template <typename Found>
Found interruptible(Found (*find)(const warpspan::Request&), warpspan::Request request) {
  std::atomic<bool> cancel{false};
  request.cancel = &cancel;
  std::future<Found> found;
  {
    const py::gil_scoped_release released;
    found = std::async(std::launch::async, [find, &request] { return find(request); });
    while (found.wait_for(between_looks) != std::future_status::ready) {
      const py::gil_scoped_acquire acquired;
      if (PyErr_CheckSignals() == 0) continue;
      cancel = true;
      const py::gil_scoped_release again;
      found.wait();
      break;
    }
  }
  if (cancel) throw py::error_already_set();
  return found.get();
}

void define_messages(py::module_& module) {
  py::enum_<warpspan::Severity>(module, "Severity")
      .value("error", warpspan::Severity::error)
      .value("warning", warpspan::Severity::warning)
      .value("note", warpspan::Severity::note);
  py::enum_<warpspan::Cause>(module, "Cause")
      .value("usage", warpspan::Cause::usage)
      .value("input", warpspan::Cause::input)
      .value("internal", warpspan::Cause::internal);
  py::enum_<warpspan::Status>(module, "Status")
      .value("done", warpspan::Status::done)
      .value("wrong_use", warpspan::Status::wrong_use)
      .value("not_bounded", warpspan::Status::not_bounded)
      .value("internal_error", warpspan::Status::internal_error);
  py::class_<warpspan::Place>(module, "Place")
      .def_readonly("file", &warpspan::Place::file)
      .def_readonly("line", &warpspan::Place::line)
      .def_readonly("column", &warpspan::Place::column);
  py::class_<warpspan::Message>(module, "Message")
      .def_readonly("severity", &warpspan::Message::severity)
      .def_readonly("cause", &warpspan::Message::cause)
      .def_readonly("place", &warpspan::Message::place)
      .def_readonly("text", &warpspan::Message::text)
      .def_readonly("hint", &warpspan::Message::hint)
      .def_readonly("source_line", &warpspan::Message::source_line)
      .def("__str__", &warpspan::Message::rendered);
}

void define_request(py::module_& module) {
  using warpspan::Request;
  py::enum_<warpspan::Effort>(module, "Effort")
      .value("never", warpspan::Effort::never)
      .value("quick", warpspan::Effort::quick)
      .value("full", warpspan::Effort::full);
  py::enum_<warpspan::Code>(module, "Code")
      .value("machine_code_if_any", warpspan::Code::machine_code_if_any)
      .value("machine_code", warpspan::Code::machine_code)
      .value("ptx", warpspan::Code::ptx);
  py::class_<warpspan::Input>(module, "Input")
      .def(py::init([](std::string path, const std::optional<py::bytes>& bytes) {
             return warpspan::Input{std::move(path), bytes ? std::optional<std::string>(*bytes) : std::nullopt};
           }),
           py::arg("path"), py::arg("bytes") = py::none());
  py::class_<warpspan::Extent>(module, "Extent")
      .def(py::init([](int64_t x, int64_t y, int64_t z) {
             return warpspan::Extent{x, y, z};
           }),
           py::arg("x"), py::arg("y") = 1, py::arg("z") = 1)
      .def_readonly("x", &warpspan::Extent::x)
      .def_readonly("y", &warpspan::Extent::y)
      .def_readonly("z", &warpspan::Extent::z);
  py::class_<warpspan::Fact>(module, "Fact")
      .def(py::init([](std::string place, std::string value) {
             return warpspan::Fact{std::move(place), std::move(value)};
           }),
           py::arg("place"), py::arg("value"));
  py::class_<Request>(module, "Request")
      .def(py::init<>())
      .def_readwrite("inputs", &Request::inputs)
      .def_readwrite("kernels", &Request::kernels)
      .def_readwrite("block", &Request::block)
      .def_readwrite("grid", &Request::grid)
      .def_readwrite("registers", &Request::registers)
      .def_readwrite("shared_bytes", &Request::shared_bytes)
      .def_readwrite("arguments", &Request::arguments)
      .def_readwrite("globals", &Request::globals)
      .def_readwrite("buffers", &Request::buffers)
      .def_readwrite("loop_bounds", &Request::loop_bounds)
      .def_readwrite("waits", &Request::waits)
      .def_readwrite("call_costs", &Request::call_costs)
      .def_readwrite("recursions", &Request::recursions)
      .def_readwrite("trust_initialisers", &Request::trust_initialisers)
      .def_readwrite("interference", &Request::interference)
      .def_readwrite("facts_file", &Request::facts_file)
      .def_readwrite("machine", &Request::machine)
      .def_readwrite("assume", &Request::assume)
      .def_readwrite("simulate", &Request::simulate)
      .def_readwrite("target", &Request::target)
      .def_readwrite("code", &Request::code)
      .def_readwrite("unknown_opcodes_are_worst", &Request::unknown_opcodes_are_worst)
      .def_readwrite("ptxas_logs", &Request::ptxas_logs)
      .def_readwrite("assembler", &Request::assembler)
      .def_readwrite("flags", &Request::flags);
}

void define_kernels(py::module_& module) {
  using namespace warpspan;
  py::class_<Kernel>(module, "Kernel")
      .def_readonly("file", &Kernel::file)
      .def_readonly("name", &Kernel::name)
      .def_readonly("demangled", &Kernel::demangled)
      .def_readonly("target", &Kernel::target)
      .def_readonly("machine_code", &Kernel::machine_code)
      .def_readonly("instructions", &Kernel::instructions)
      .def_readonly("registers", &Kernel::registers)
      .def_readonly("stack_bytes", &Kernel::stack_bytes)
      .def_readonly("shared_bytes", &Kernel::shared_bytes);
  py::class_<Kernels>(module, "Kernels")
      .def_readonly("kernels", &Kernels::kernels)
      .def_readonly("messages", &Kernels::messages)
      .def_readonly("status", &Kernels::status);
  py::class_<Parameter>(module, "Parameter")
      .def_readonly("name", &Parameter::name)
      .def_readonly("type", &Parameter::type)
      .def_readonly("bytes", &Parameter::bytes)
      .def_readonly("source_name", &Parameter::source_name);
  py::class_<Loop>(module, "Loop")
      .def_readonly("place", &Loop::place)
      .def_readonly("line", &Loop::line)
      .def_readonly("source_file", &Loop::source_file)
      .def_readonly("source_line", &Loop::source_line)
      .def_readonly("trip_count", &Loop::trip_count)
      .def_readonly("found_by", &Loop::found_by)
      .def_readonly("obstacle", &Loop::obstacle)
      .def_readonly("remedies", &Loop::remedies);
  py::class_<KernelNeeds>(module, "KernelNeeds")
      .def_readonly("file", &KernelNeeds::file)
      .def_readonly("name", &KernelNeeds::name)
      .def_readonly("demangled", &KernelNeeds::demangled)
      .def_readonly("sha256", &KernelNeeds::sha256)
      .def_readonly("parameters", &KernelNeeds::parameters)
      .def_readonly("loops", &KernelNeeds::loops)
      .def_readonly("calls", &KernelNeeds::calls)
      .def_readonly("recursions", &KernelNeeds::recursions)
      .def_readonly("are_met", &KernelNeeds::are_met);
  py::class_<Needs>(module, "Needs")
      .def_readonly("kernels", &Needs::kernels)
      .def_readonly("messages", &Needs::messages)
      .def_readonly("status", &Needs::status)
      .def("toml", &Needs::toml)
      .def("json", &Needs::json);
}

void define_bounds(py::module_& module) {
  using namespace warpspan;
  py::class_<Time>(module, "Time")
      .def_readonly("cycles", &Time::cycles)
      .def_readonly("picoseconds", &Time::picoseconds)
      .def_property_readonly("nanoseconds", &Time::nanoseconds);
  py::class_<Expected>(module, "Expected")
      .def_readonly("time", &Expected::time)
      .def_readonly("simulated", &Expected::simulated)
      .def_readonly("usual_factor", &Expected::usual_factor)
      .def_readonly("assumptions", &Expected::assumptions);
  py::class_<Part>(module, "Part").def_readonly("name", &Part::name).def_readonly("cycles", &Part::cycles);
  py::class_<Line>(module, "Line")
      .def_readonly("file", &Line::file)
      .def_readonly("line", &Line::line)
      .def_readonly("executions", &Line::executions)
      .def_readonly("cycles", &Line::cycles)
      .def_readonly("limited_by", &Line::limited_by)
      .def_readonly("text", &Line::text);
  py::class_<Access>(module, "Access")
      .def_readonly("line", &Access::line)
      .def_readonly("source_file", &Access::source_file)
      .def_readonly("source_line", &Access::source_line)
      .def_readonly("instruction", &Access::instruction)
      .def_readonly("object", &Access::object)
      .def_readonly("object_bytes", &Access::object_bytes)
      .def_readonly("touches", &Access::touches);
  py::class_<Advice>(module, "Advice")
      .def_readonly("kind", &Advice::kind)
      .def_readonly("what", &Advice::what)
      .def_readonly("place", &Advice::place)
      .def_readonly("cycles", &Advice::cycles);
  py::class_<KernelBound>(module, "KernelBound")
      .def_readonly("file", &KernelBound::file)
      .def_readonly("name", &KernelBound::name)
      .def_readonly("demangled", &KernelBound::demangled)
      .def_readonly("machine", &KernelBound::machine)
      .def_readonly("clock_khz", &KernelBound::clock_khz)
      .def_readonly("block", &KernelBound::block)
      .def_readonly("grid", &KernelBound::grid)
      .def_readonly("at_most", &KernelBound::at_most)
      .def_readonly("whatever", &KernelBound::whatever)
      .def_readonly("usual", &KernelBound::usual)
      .def_readonly("expected", &KernelBound::expected)
      .def_readonly("limited_by", &KernelBound::limited_by)
      .def_readonly("parts", &KernelBound::parts)
      .def_readonly("lines", &KernelBound::lines)
      .def_readonly("loops", &KernelBound::loops)
      .def_readonly("accesses", &KernelBound::accesses)
      .def_readonly("advice", &KernelBound::advice)
      .def_readonly("assumptions", &KernelBound::assumptions);
  py::class_<Unbounded>(module, "Unbounded")
      .def_readonly("file", &Unbounded::file)
      .def_readonly("name", &Unbounded::name)
      .def_readonly("messages", &Unbounded::messages);
  py::class_<Bounds>(module, "Bounds")
      .def_readonly("kernels", &Bounds::kernels)
      .def_readonly("unbounded", &Bounds::unbounded)
      .def_readonly("messages", &Bounds::messages)
      .def_readonly("status", &Bounds::status)
      .def("json", &Bounds::json)
      .def("text", &Bounds::text);
}

void define_machines(py::module_& module) {
  using warpspan::Machine;
  py::class_<Machine>(module, "Machine")
      .def_readonly("name", &Machine::name)
      .def_readonly("description", &Machine::description)
      .def_readonly("targets", &Machine::targets)
      .def_readonly("clock_khz", &Machine::clock_khz)
      .def_readonly("multiprocessors", &Machine::multiprocessors)
      .def_readonly("warps", &Machine::warps)
      .def_readonly("usual", &Machine::usual)
      .def_readonly("toml", &Machine::toml);
}

// The machine, or the messages that say why there is none.
py::object machine(const std::string& name) {
  const auto found = warpspan::machine(name);
  return found ? py::cast(*found) : py::cast(found.messages());
}

}  // namespace

PYBIND11_MODULE(_warpspan, module) {
  define_messages(module);
  define_request(module);
  define_kernels(module);
  define_bounds(module);
  define_machines(module);
  module.def("version", &warpspan::version);
  module.def("kernels", [](const warpspan::Request& request) { return interruptible(&warpspan::kernels, request); });
  module.def("needs", [](const warpspan::Request& request) { return interruptible(&warpspan::needs, request); });
  module.def("bound", [](const warpspan::Request& request) { return interruptible(&warpspan::bound, request); });
  module.def("machines", &warpspan::machines);
  module.def("machine", &machine);
}
