import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './claims.ts';

export const DOCUMENTS: readonly string[] = globSync(
  ['*.md', '{bench,bin,docs,events,functions,lib,sandbox,scripts,soak,test}/**/*.md'],
  { cwd: ROOT },
).sort();

export function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}
