import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { exitCodeOf } from '#support/assertions/exit-code-of.ts';

export interface ScriptRun {
  code: unknown;
  out: string;
  complaints: string;
}

/** Runs a TypeScript file with Node to its end. */
export async function runScript(file: string, args: readonly string[]): Promise<ScriptRun> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [code, out, complaints] = await Promise.all([
    exitCodeOf(child),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, out, complaints };
}
