import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/*
 * Done once in a process of the tests, before its first file.
 *
 * Every process loads the same packages, the SDK above all. What one has compiled, the next need not. Processes that a test
 * starts with the environment of this one, such as `npm start`, use the same compiled code.
 */
const COMPILED = join(import.meta.dirname, '../../node_modules/.cache/daybook-tests');
enableCompileCache(COMPILED);
process.env['NODE_COMPILE_CACHE'] = COMPILED;

// The functions log to the standard streams, which Lambda reads. Here the log would hide the results. Tests of the logs
// replace `write` themselves.
for (const stream of [process.stdout, process.stderr]) {
  stream.write = new Proxy(stream.write.bind(stream), {
    apply: (write, self, parameters: unknown[]) =>
      /^\{"(?:level|_aws)"/.test(String(parameters[0])) || Reflect.apply(write, self, parameters) === true,
  });
}

export const FIRST_ENVIRONMENT: Readonly<NodeJS.ProcessEnv> = { ...process.env };
