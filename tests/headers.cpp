// SPDX-License-Identifier: GPL-3.0-or-later
// Holds no code: with it the headers of all tests are precompiled. main.cpp makes Catch's own code of them, so it
// cannot.
