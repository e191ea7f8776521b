# SPDX-License-Identifier: GPL-3.0-or-later
"""The PTX forms whose expansion is measured: every opcode row that a straight kernel can execute, with the types and
modifiers that change its machine code. A form that ptxas refuses for an architecture is left out there, so forms are
listed generously."""
import arithmetic
import form
import matrices
import memory
import warps

for group, extent in ((arithmetic.integers, "all"), (arithmetic.logic, "all"), (arithmetic.comparisons, "few"),
                      (arithmetic.floating, "all"), (arithmetic.conversions, "few"), (memory.moves, "all"),
                      (arithmetic.videos, "least"), (warps.warps, "all"), (warps.barriers, "least"),
                      (memory.loads, "few"), (memory.addresses, "few"), (memory.atomics, "few"),
                      (memory.copies, "least"), (matrices.matrices, "matrix"), (matrices.textures, "matrix")):
    before = len(form.FORMS)
    group()
    for one in form.FORMS[before:]:
        one.extent = one.extent or extent

FORMS = form.FORMS
