import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod';

const sourceMapSchema = z.object({ sources: z.array(z.string()) });

export async function sourcesOf(file: string): Promise<string[]> {
  const { sources } = sourceMapSchema.parse(JSON.parse(await readFile(`${file}.map`, 'utf8')));
  return sources.map((source) => resolve(join(file, '..'), source));
}
