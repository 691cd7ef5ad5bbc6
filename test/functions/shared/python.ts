import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** Runs a Python program that reads `input` on its standard input and prints JSON: another reader's view of our bytes. */
export async function python(program: string, input: Uint8Array): Promise<unknown> {
  const child = spawn('python3', ['-I', '-X', 'utf8', '-c', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: 20_000,
  });
  child.stdin.end(input);
  return JSON.parse(await text(child.stdout)) as unknown;
}
