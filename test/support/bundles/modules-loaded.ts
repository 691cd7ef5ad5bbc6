import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod';
import { sourcesOf } from './sources-of.ts';

const run = promisify(execFile);

const seenSchema = z.object({ answer: z.unknown(), loaded: z.array(z.string()) });

/** What a process has loaded of a bundle after one event. */
export interface LoadedModules {
  answer: unknown;
  /** The names of the parts that are loaded when they are needed, without their hash. Sorted. */
  parts: string[];
  /** The packages in all modules. Sorted. */
  packages: string[];
  /** Our own source files, from `functions/` on. Sorted. */
  sources: string[];
}

function sorted(values: Iterable<string>): string[] {
  return [...new Set(values)].sort();
}

/** Calls the handler of a bundle once, in a new process, and lists what that process loads. */
export async function modulesLoaded(
  file: string,
  event: unknown,
  environment: NodeJS.ProcessEnv,
): Promise<LoadedModules> {
  const program = `
    import { registerHooks } from 'node:module';
    import { fileURLToPath } from 'node:url';
    const loaded = [];
    registerHooks({
      load: (url, context, next) => {
        if (url.startsWith('file:')) loaded.push(fileURLToPath(url));
        return next(url, context);
      },
    });
    const { handler } = await import(${JSON.stringify(pathToFileURL(file).href)});
    const answer = await handler(${JSON.stringify(event)});
    process.stdout.write('\\n' + JSON.stringify({ answer, loaded }));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    env: environment,
    timeout: 25_000,
  });
  const { answer, loaded } = seenSchema.parse(JSON.parse(stdout.split('\n').at(-1) ?? ''));
  const ofPackages: string[] = [];
  const own: string[] = [];
  for (const source of (await Promise.all(loaded.map(sourcesOf))).flat()) {
    const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1];
    if (name === undefined) own.push(source.replace(/.*\/(?=functions\/)/, ''));
    else ofPackages.push(name);
  }
  return {
    answer,
    parts: sorted(loaded.map((path) => basename(path).replace(/-?[A-Z0-9]*\.mjs$/, ''))),
    packages: sorted(ofPackages),
    sources: sorted(own),
  };
}
