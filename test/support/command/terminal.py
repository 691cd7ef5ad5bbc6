"""Runs a program on a terminal and answers its questions. Reads JSON: `command`, `cwd`, `environment` and `answers`, a list of
[question, answer]. Prints JSON: `raw`, all that the program wrote, `written`, the same without control sequences, and its exit
status `code`, negative for a signal."""

import fcntl, json, os, pty, re, select, struct, sys, termios, time

task = json.load(sys.stdin)
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    os.chdir(task["cwd"])
    os.execvpe(task["command"][0], task["command"], task["environment"])
written, seen, open_ = b"", 0, True


def read(seconds):
    global written, open_
    ready, _, _ = select.select([terminal], [], [], seconds)
    if not ready:
        return
    try:
        part = os.read(terminal, 65536)
    except OSError:
        part = b""
    written += part
    open_ = part != b""


for question, answer in task["answers"]:
    until = time.time() + 30
    while open_ and time.time() < until and question.encode() not in written[seen:]:
        read(0.2)
    # The question is drawn in several parts.
    time.sleep(0.1)
    read(0)
    seen = len(written)
    os.write(terminal, answer.encode())
while open_:
    read(1)
code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
text = re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", written)
print(json.dumps({"code": code, "written": text.decode("utf-8", "replace"), "raw": written.decode("utf-8", "replace")}))
