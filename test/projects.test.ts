import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEEP, NOT_UNIT, UNIT, patternsOf } from './projects.ts';

const ROOT = join(import.meta.dirname, '..');

describe('the lists of projects', () => {
  it.each([...UNIT, ...NOT_UNIT, ...DEEP])('name a path that exists: %s', (path) => {
    expect(existsSync(join(ROOT, path))).toBe(true);
  });

  it('name no path twice', () => {
    const all = [...UNIT, ...NOT_UNIT, ...DEEP];
    expect(new Set(all).size).toBe(all.length);
  });

  it('match a file by its name, and a folder by all its test files', () => {
    expect(patternsOf(['test/a.test.ts', 'test/b'])).toEqual(['test/a.test.ts', 'test/b/**/*.test.ts']);
  });
});
