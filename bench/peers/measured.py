"""Runs a program to its end and prints what it took, with all processes that it started, as one line of JSON.

  python3 measured.py <file for its standard output> <file for its errors> <program> [arguments]
"""

import json
import os
import sys
import time

output, errors, *command = sys.argv[1:]
began = time.monotonic()
flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
process = os.posix_spawnp(
    command[0],
    command,
    os.environ,
    file_actions=[(os.POSIX_SPAWN_OPEN, 1, output, flags, 0o600), (os.POSIX_SPAWN_OPEN, 2, errors, flags, 0o600)],
)
_, status, usage = os.wait4(process, 0)
print(
    json.dumps(
        {
            "status": os.waitstatus_to_exitcode(status),
            "wall": (time.monotonic() - began) * 1_000,
            "cpu": (usage.ru_utime + usage.ru_stime) * 1_000,
            # Kilobytes on Linux, bytes on macOS.
            "peak": usage.ru_maxrss * (1 if sys.platform == "darwin" else 1_024),
        }
    )
)
