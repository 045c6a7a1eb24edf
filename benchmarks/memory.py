"""How much memory this process has held at most."""

from pathlib import Path


def peak_mib() -> float:
    """Peak resident MiB since this program was started.

    Not `ru_maxrss`: on Linux a child starts with its parent's peak there.
    """
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    raise OSError("/proc/self/status tells no VmHWM")
