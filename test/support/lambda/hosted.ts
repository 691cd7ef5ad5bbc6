import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { FUNCTIONS, type FunctionName } from '#lib/functions.ts';
import { FunctionHost, type DeployedFunction, type Outcome } from '#sandbox/lambda/index.ts';
import { cachedBuild } from '#scripts/cached-build.ts';
import { defined } from '#support/assertions/index.ts';
import { newDirectory } from '#support/machine.ts';

const CLIENT = defined(process.env['DAYBOOK_RUNTIME_CLIENT'], 'the client: npm run test:lambda installs it');
const { files } = await cachedBuild();

/** Runs until the test has ended. */
function hosted(deployed: DeployedFunction): FunctionHost {
  const host = new FunctionHost(deployed, CLIENT);
  onTestFinished(() => host.close());
  return host;
}

/** A built function, as large as it is deployed. */
export function hostedFunction(
  name: FunctionName,
  environment: Record<string, string>,
  changes: Partial<DeployedFunction> = {},
): FunctionHost {
  const { memory, timeoutMinutes } = FUNCTIONS[name];
  return hosted({
    name,
    directory: dirname(defined(files.get(name), name)),
    environment,
    memory,
    timeout: timeoutMinutes * 60_000,
    ...changes,
  });
}

/** A function of the test's own. @param source its module, JavaScript */
export function hostedSource(source: string, changes: Partial<DeployedFunction> = {}): FunctionHost {
  const directory = newDirectory();
  writeFileSync(join(directory, 'index.mjs'), source);
  return hosted({ name: 'test', directory, environment: {}, memory: 512, timeout: 20_000, ...changes });
}

/** The name of the error; the answer where there is none. */
export function errorOf(outcome: Outcome): unknown {
  return 'failure' in outcome ? outcome.failure.errorType : outcome;
}

const lineSchema = z.object({ cold_start: z.boolean(), message: z.string() });

/** What each line with this message says of the start. */
export function coldStarts(log: readonly string[], message: string): boolean[] {
  return log
    .filter((line) => line.startsWith('{'))
    .map((line) => lineSchema.safeParse(JSON.parse(line)).data)
    .filter((line) => line?.message === message)
    .map((line) => defined(line, 'a line').cold_start);
}
