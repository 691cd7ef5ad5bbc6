import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './claims.ts';

/** Every document of the repository, by its path. */
export const DOCUMENTS: readonly string[] = globSync(
  ['*.md', '{bench,bin,docs,events,functions,lib,sandbox,scripts,soak,test}/**/*.md'],
  { cwd: ROOT },
).sort();

/** The text of a document. @param path from the root of the repository */
export function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}
