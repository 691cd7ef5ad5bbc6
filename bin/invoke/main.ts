import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { readArguments } from '#scripts/command-line.ts';
import { codeOf, jsonOrNothing } from '../daybook/files.ts';
import { functionEnvironment } from '../local/configuration.ts';
import { claimDirectory } from '../local/directory.ts';
import { loadHandler } from '../local/functions/call-handler.ts';
import { localMerchants, merchantDay, provideDay } from '../local/merchants.ts';
import { startSandboxes } from '../local/services.ts';
import { UsageError } from '../daybook/terminal/command-errors.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const USAGE = `
Runs the source of one function with an event, against the sandboxes of the local run. Use it with a debugger, or
to look at the log and the answer. Makes the event's day at the payment service if that day is missing.

  npm run invoke -- <function> <event file> [options]

  --directory <dir>  where everything is kept between runs; default .local
  -h, --help         show this text
`;
const MERCHANTS = 3;
const withDay = z.object({ day: z.iso.date() });

function eventIn(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(resolve(ROOT, file), 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read (${codeOf(error)})`);
  }
  const event = jsonOrNothing(text);
  if (event === undefined) throw new UsageError(`${file} is not JSON`);
  return event;
}

function entryOf(name: string): string {
  const entries = globSync('functions/**/*.lambda.ts', { cwd: ROOT }).sort();
  const names = entries.map((entry) => basename(dirname(entry)));
  const entry = entries[names.indexOf(name)];
  if (entry === undefined)
    throw new UsageError(`there is no function "${name}"; the functions are ${names.toSorted().join(', ')}`);
  return join(ROOT, entry);
}

async function invoke(name: string, file: string, where: string): Promise<unknown> {
  const [entry, event, directory] = [entryOf(name), eventIn(file), resolve(where)];
  const release = claimDirectory(directory, false);
  const options = { directory, merchants: MERCHANTS, latency: 0, onRequest: () => undefined };
  const sandboxes = await startSandboxes(options);
  try {
    const day = withDay.safeParse(event).data?.day;
    for (const merchant of localMerchants(MERCHANTS)) {
      provideDay(sandboxes.payments.data, merchantDay(merchant, day, Date.now()), {});
    }
    Object.assign(process.env, sandboxes.aws.environment, functionEnvironment(sandboxes.payments.origin));
    const call = await loadHandler(entry, name);
    return await call(event);
  } finally {
    await sandboxes.close();
    release();
  }
}

try {
  const options = { directory: { type: 'string', default: '.local' } } as const;
  const { values, positionals } = readArguments(USAGE, options);
  const [name, file, ...rest] = positionals;
  if (name === undefined || file === undefined || rest.length > 0)
    throw new UsageError('give a function and the file of its event; see --help');
  process.stdout.write(`\n${JSON.stringify(await invoke(name, file, values.directory), null, 2)}\n`);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
