// SPDX-License-Identifier: GPL-3.0-or-later
// Tasks files: a GPU and the tasks that run kernels on it, in TOML, for 'warpspan rta' (docs/response-times.md).
//
//   [gpu]
//   machine = "tx2"           name, target, board or file: multiprocessors, and what each holds
//   multiprocessors = 2       this and the next four: instead of a machine, or of its figure
//   blocks = 32               that a multiprocessor holds at once; what is left out is no limit
//   threads = 2048
//   shared = 65536            bytes
//   registers = 65536
//   copy_engines = 2          one for each direction; default: 1
//   copy_rate = 10000000000   bytes a second, of copies without 'time'
//   null_stream = "legacy"    stream 0 waits for all others, and they for it; default: "none"
//   exclusive = true          kernels of several streams never run at the same time: the application sees to that
//
//   [[task]]
//   name = "detect"
//   stream = 1
//   priority = 0              of its stream, larger ones first; default: 0
//   offset = "0 us"           of the timeline; default: 0
//   period = "33 ms"          least time between releases; without it, there is one
//   deadline = "20 ms"        after a release; default: the period
//   work = [
//     { copy = "to-device", time = "100 us" },    or bytes = 4096
//     { kernel = "saxpy", file = "saxpy.ptx", block = 256, grid = 64, args = { 3 = 16384 } },
//     { blocks = 64, threads = 256, shared = 0, registers = 0, time = "1 ms" },    of one block
//   ]
//
// Times have units, or all of them are plain integers. A kernel of a file has the keys of a launch (launch_keys.hpp)
// and facts.
#pragma once

#include <string>
#include <string_view>

#include "app/requests/response/response_times.hpp"
#include "support/result.hpp"

namespace warpspan::app {

// What the text of a file of this name asks for; paths in it are put behind its folder. Or all errors in it with their
// places, as wrong use.
support::Result<ResponseRequest> parse_tasks(const std::string& name, std::string_view text);

}  // namespace warpspan::app
