import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const MODULE = join(import.meta.dirname, '../../../../bin/local/functions/function-environments.ts');

it('when environments close, what waits for one fails, and nothing keeps the process alive', () => {
  const directory = mkdtempSync(join(tmpdir(), 'daybook-environments-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const program = `const { functionEnvironments } = await import(${JSON.stringify(MODULE)});
    const environments = functionEnvironments(1, {}, ${JSON.stringify(join(directory, 'log'))});
    const invocations = [1, 2, 3].map(() => environments.invoke('plan', {}).catch(({ name }) => name));
    await new Promise((begun) => setImmediate(begun));
    await environments.close();
    console.log((await Promise.all(invocations)).join(' '));`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  expect(printed.trim()).toBe('EnvironmentExited EnvironmentsClosed EnvironmentsClosed');
});
