// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/app.hpp"

int main(int argc, char** argv) { return warpspan::app::run(argc, argv); }
