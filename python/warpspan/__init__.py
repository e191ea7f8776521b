# SPDX-License-Identifier: GPL-3.0-or-later
"""Safe upper bounds on how long GPU kernels can take, from PTX and machine code.

    import warpspan

    bounds = warpspan.bound("saxpy.ptx", block=256, grid=4, arguments={3: 100000}, machine="A100")
    print(bounds.kernel("saxpy").at_most.nanoseconds)

Every result has `messages` and a `status`: a kernel that cannot be bounded has messages and no number. Words mean what they
mean for the program 'warpspan analyze'; docs/library.md has the options.
"""

from __future__ import annotations

import os
from typing import Any, Iterable, Mapping, Sequence, Tuple, Union

from . import _warpspan
from ._warpspan import (Access, Advice, Cause, Code, Effort, Expected, Extent, Fact, Input, Kernel, KernelBound, KernelNeeds,
                        Kernels, Line, Loop, Machine, Message, Parameter, Part, Place, Request, Severity, Status, Time,
                        Unbounded)

__version__ = _warpspan.version()

# A file, a folder or a pattern; or a name with its content.
Source = Union[str, "os.PathLike[str]", Tuple[str, Union[str, bytes]], Input]
# Threads of a block, or blocks of a grid.
Size = Union[int, Sequence[int], Extent]
# Places and values: {"n": 1024, "3": "1..4096"}.
Facts = Mapping[Union[str, int], Union[str, int]]

_sizes = ("block", "grid")
_facts = ("arguments", "globals", "buffers", "loop_bounds", "waits", "call_costs", "recursions")
_lists = ("kernels", "assume", "ptxas_logs")
_words = {"simulate": Effort, "code": Code}


class Error(Exception):
    """A number was asked for that is not known. `messages` say why."""

    def __init__(self, messages: Sequence[Message]) -> None:
        super().__init__("\n" + "".join(str(message) for message in messages))
        self.messages = list(messages)


class Bounds:
    """What `bound` has found: the kernels that could be bounded, and why the others could not."""

    def __init__(self, found: _warpspan.Bounds) -> None:
        self._found = found
        self.kernels: list[KernelBound] = found.kernels
        self.unbounded: list[Unbounded] = found.unbounded
        self.messages: list[Message] = found.messages
        self.status: Status = found.status

    def kernel(self, name: str | None = None) -> KernelBound:
        """The kernel of that name, or the only one; Error if it is not bounded."""
        chosen = [kernel for kernel in self.kernels if name in (None, kernel.name, kernel.demangled)]
        failed = [kernel for kernel in self.unbounded if name in (None, kernel.name) or not kernel.name]
        if len(chosen) != 1 or failed or (name is None and self.status != Status.done):
            if not self.messages:
                raise KeyError(f"{len(chosen)} kernels are meant by {name!r}; there are "
                               f"{', '.join(kernel.name for kernel in self.kernels)}")
            raise Error(self.messages)
        return chosen[0]

    def json(self) -> str:
        """The report of 'warpspan analyze --format json'."""
        return self._found.json()

    def text(self) -> str:
        """The report of 'warpspan analyze'."""
        return self._found.text()

    def _repr_html_(self) -> str:
        import html
        return f"<pre>{html.escape(self.text())}</pre>"


def _input(source: Source) -> Input:
    if isinstance(source, Input):
        return source
    if isinstance(source, tuple):
        name, content = source
        return Input(name, content.encode() if isinstance(content, str) else content)
    return Input(os.fspath(source))


def _extent(size: Size) -> Extent:
    if isinstance(size, Extent):
        return size
    return Extent(size) if isinstance(size, int) else Extent(*size)


def _fact(place: str | int, value: str | int) -> Fact:
    return Fact(str(place), str(value))


def request(*inputs: Source, **options: Any) -> Request:
    """What to ask: options are the members of Request; None leaves one out."""
    made = Request()
    made.inputs = [_input(source) for source in inputs]
    for name, value in options.items():
        if not hasattr(made, name) or name == "inputs":
            raise TypeError(f"there is no option {name!r}")
        if value is None:
            continue
        if name in _sizes:
            value = _extent(value)
        elif name in _facts:
            value = [_fact(place, given) for place, given in value.items()]
        elif name in _lists:
            value = [value] if isinstance(value, str) else list(value)
        elif name in _words and isinstance(value, str):
            value = getattr(_words[name], value)
        elif name == "interference":
            value = str(value)
        elif name == "facts_file":
            value = os.fspath(value)
        setattr(made, name, value)
    return made


def bound(*inputs: Source, **options: Any) -> Bounds:
    """Bounds each kernel of the inputs."""
    return Bounds(_warpspan.bound(request(*inputs, **options)))


def needs(*inputs: Source, **options: Any) -> _warpspan.Needs:
    """What only its user can know of each kernel, with what is stated already."""
    return _warpspan.needs(request(*inputs, **options))


def kernels(*inputs: Source, **options: Any) -> Kernels:
    """The kernels of the inputs."""
    return _warpspan.kernels(request(*inputs, **options))


def machines() -> list[str]:
    """Names of the machines that are built in."""
    return _warpspan.machines()


def machine(name: str) -> Machine:
    """A machine by its name, target, board or file; Error if there is none."""
    found = _warpspan.machine(name)
    if isinstance(found, Machine):
        return found
    raise Error(found)


__all__ = ["Access", "Advice", "Bounds", "Cause", "Code", "Effort", "Error", "Expected", "Extent", "Fact", "Facts", "Input",
           "Kernel", "KernelBound", "KernelNeeds", "Kernels", "Line", "Loop", "Machine", "Message", "Parameter", "Part", "Place",
           "Request", "Severity", "Size", "Source", "Status", "Time", "Unbounded", "bound", "kernels", "machine", "machines",
           "needs", "request"]
