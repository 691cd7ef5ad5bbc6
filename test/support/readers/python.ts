import { spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { TestRunner } from 'vitest';
import { clockVariables } from '#sandbox/clock-variables.ts';
import { MAY_SKIP } from '../machine.ts';

const isThere = spawnSync('python3', ['--version']).status === 0;

/**
 * Runs a Python program that reads `input` on its standard input and prints JSON: another reader's view of our bytes.
 * A machine without Python skips the test; continuous integration must not.
 *
 * @param timeout milliseconds
 */
export async function python(program: string, input: Uint8Array, timeout = 20_000): Promise<unknown> {
  if (!isThere && MAY_SKIP) {
    TestRunner.getCurrentTest()?.context.skip('needs Python 3, as a second reader');
  }
  // No test looks at Python's own clock, and waiting for a terminal fails with a shifted one.
  const shifted = Object.keys(clockVariables());
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !shifted.includes(name)));
  const child = spawn('python3', ['-I', '-X', 'utf8', '-c', program], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout,
  });
  child.stdin.end(input);
  return JSON.parse(await text(child.stdout));
}
