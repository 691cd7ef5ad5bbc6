import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { newDirectory } from '#support/machine.ts';

const MODULE = join(import.meta.dirname, '../../../../bin/local/functions/function-environments.ts');

it('when environments close, what waits for one fails, and nothing keeps the process alive', () => {
  const program = `const { functionEnvironments } = await import(${JSON.stringify(MODULE)});
    const environments = functionEnvironments(1, {}, ${JSON.stringify(join(newDirectory(), 'log'))});
    const invocations = [1, 2, 3].map(() => environments.invoke('plan', {}).catch(({ name }) => name));
    await new Promise((begun) => setImmediate(begun));
    await environments.close();
    console.log((await Promise.all(invocations)).join(' '));`;
  const words = ['--input-type=module', '-e', program];
  const printed = execFileSync(process.execPath, words, { encoding: 'utf8', timeout: 20_000 });
  expect(printed.trim()).toBe('EnvironmentExited EnvironmentsClosed EnvironmentsClosed');
});
