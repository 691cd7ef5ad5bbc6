import { execFile, spawn, type ExecFileOptions } from 'node:child_process';

/** Runs a program to its end, with nothing on its standard input. */
export function runProgram(
  program: string,
  args: readonly string[],
  options: ExecFileOptions = {},
): Promise<{ code: unknown; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const whole = { ...options, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
    const child = execFile(program, args, whole, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    );
    child.stdin?.end();
  });
}

/** Runs a TypeScript file with Node to its end. */
export async function runScript(file: string, args: readonly string[]) {
  const words = ['--disable-warning=ExperimentalWarning', file, ...args];
  const { code, stdout: out, stderr: complaints } = await runProgram(process.execPath, words);
  return { code, out, complaints };
}

/**
 * Starts a TypeScript file with Node, and waits until it has printed `until`.
 * @param timeout milliseconds, after which it is killed
 */
export async function startScript(file: string, args: readonly string[], until: RegExp, timeout = 300_000) {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'], timeout });
  let text = '';
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
        if (until.test(text)) resolve();
      });
    child.once('exit', () => reject(new Error(`it ended before ${String(until)}: ${text}`)));
  });
  return { child, printed: () => text };
}
