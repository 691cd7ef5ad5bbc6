import { createReadStream, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from '#bin/daybook/main.ts';

/** A command that the process of a test asks this one to run. */
export interface AskedRun {
  args: readonly string[];
  input: string;
  environment: Record<string, string>;
  cwd: string;
}

/** Gives stdin a text. It has a file descriptor, as in a process of its own. */
function putStdin(text: string): void {
  const directory = mkdtempSync(join(tmpdir(), 'daybook-stdin-'));
  const file = join(directory, 'stdin');
  writeFileSync(file, text);
  const fd = openSync(file, 'r');
  rmSync(directory, { recursive: true });
  Object.defineProperty(process, 'stdin', {
    value: Object.assign(createReadStream(file, { fd }), { fd }),
    configurable: true,
  });
}

/** Keeps what is written to a stream. */
function capture(name: 'stdout' | 'stderr'): () => string {
  const pieces: Buffer[] = [];
  const stream = process[name];
  stream.write = (data: Uint8Array | string, encoding?: unknown, done?: unknown) => {
    pieces.push(Buffer.from(data));
    const callback = typeof encoding === 'function' ? encoding : done;
    if (typeof callback === 'function') process.nextTick(callback);
    return true;
  };
  return () => Buffer.concat(pieces).toString('utf8');
}

function exitStatus(): number {
  return Number(process.exitCode ?? 0);
}

async function run({ args, input, environment, cwd }: AskedRun): Promise<void> {
  for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, environment);
  process.chdir(cwd);
  process.exitCode = undefined;
  putStdin(input);
  const [stdout, stderr] = [capture('stdout'), capture('stderr')];
  await main(args);
  process.removeAllListeners('SIGINT');
  process.send?.({ code: exitStatus(), stdout: stdout(), stderr: stderr() });
  process.exitCode = undefined;
}

process.on('message', (asked: AskedRun) => void run(asked));
process.on('disconnect', () => process.exit());
