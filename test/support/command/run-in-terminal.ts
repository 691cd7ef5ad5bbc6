import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { clockVariables } from '#sandbox/clock-variables.ts';
import { python } from '../readers/python.ts';

const COMMAND = fileURLToPath(new URL('../../../bin/daybook.mjs', import.meta.url));

/** Keys that a person presses as soon as the terminal shows a text. */
export interface Pressed {
  /** A pattern of Python. It is looked for in what was written since the keys before. */
  after: string;
  /** `'\x03'` is Ctrl-C, `'\r'` is Enter. */
  keys: string;
}

/** Ctrl-C, as the terminal gets it. */
export const CTRL_C = '\u0003';

/** Reads the command line and the keys, gives the program a terminal of 100 columns, and prints how it ended. */
const PROGRAM = `
import fcntl, json, os, pty, re, select, struct, sys, termios, time
asked = json.load(sys.stdin)
pid, terminal = pty.fork()
if pid == 0:
    os.execve(asked["line"][0], asked["line"], asked["environment"])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
written, seen, end = "", 0, time.monotonic() + 18
pressed = list(asked["pressed"])
while time.monotonic() < end:
    if select.select([terminal], [], [], 0.1)[0]:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        written += piece.decode("utf8", "replace")
    if pressed and re.search(pressed[0]["after"], written[seen:]):
        seen = len(written)
        time.sleep(0.2)
        os.write(terminal, pressed.pop(0)["keys"].encode())
else:
    os.kill(pid, 9)
status = os.waitpid(pid, 0)[1]
code = os.waitstatus_to_exitcode(status)
print(json.dumps({"code": code, "written": written}))
`;

const endSchema = z.object({
  /** The exit status; that of a signal is negative. */
  code: z.int(),
  /** All that the terminal got, with its control sequences. */
  written: z.string(),
});

/**
 * Runs `daybook` in a terminal, as a person does. Needs Python 3.
 *
 * @param args the command line after `daybook`
 */
export async function runInTerminal(
  args: readonly string[],
  pressed: readonly Pressed[] = [],
): Promise<z.infer<typeof endSchema>> {
  const asked = {
    line: [process.execPath, '--disable-warning=ExperimentalWarning', COMMAND, ...args],
    environment: {
      PATH: process.env['PATH'] ?? '',
      HOME: '/nonexistent',
      TERM: 'xterm',
      AWS_EC2_METADATA_DISABLED: 'true',
      ...clockVariables(),
    },
    pressed,
  };
  return endSchema.parse(await python(PROGRAM, Buffer.from(JSON.stringify(asked))));
}
