import { pathToFileURL } from 'node:url';
import { recordOf } from './record-of.ts';

/** The handler that the module in the file exports. Throws `Error` when it exports none. */
export async function handlerOf(file: string): Promise<() => unknown> {
  const module: unknown = await import(pathToFileURL(file).href);
  const { handler } = recordOf(module, file);
  if (typeof handler !== 'function') throw new Error(`${file} exports no handler`);
  return (): unknown => Reflect.apply(handler, undefined, []);
}
