import { execFile, spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, matchesGlob } from 'node:path';
import * as z from 'zod';
import config from '../vitest.config.ts';
import { DEEP, LAMBDA, NOT_UNIT, TRINO, UNIT, patternsOf } from './projects.ts';

const ROOT = join(import.meta.dirname, '..');

describe('the lists of projects', () => {
  it.each([...UNIT, ...NOT_UNIT, ...DEEP, ...TRINO, ...LAMBDA])('name a path that exists: %s', (path) => {
    expect(existsSync(join(ROOT, path))).toBe(true);
  });

  it('name no path twice', () => {
    const all = [...UNIT, ...NOT_UNIT, ...DEEP, ...TRINO, ...LAMBDA];
    expect(new Set(all).size).toBe(all.length);
  });

  it('match a file by its name, and a folder by all its test files', () => {
    expect(patternsOf(['test/a.test.ts', 'test/b'])).toEqual(['test/a.test.ts', 'test/b/**/*.test.ts']);
  });
});

const configSchema = z.object({
  test: z.object({
    projects: z.array(
      z.object({
        test: z.object({
          name: z.string(),
          include: z.array(z.string()),
          exclude: z.array(z.string()).default([]),
        }),
      }),
    ),
  }),
});

it('every test file is in one project', () => {
  const { projects } = configSchema.parse(config).test;
  const files = globSync('test/**/*.test.ts', { cwd: ROOT });
  expect(files.length).toBeGreaterThan(200);
  const isIn = (file: string, patterns: string[]) => patterns.some((pattern) => matchesGlob(file, pattern));
  const placed = files.map((file) => [
    file,
    projects
      .filter(({ test }) => isIn(file, test.include) && !isIn(file, test.exclude))
      .map(({ test }) => test.name),
  ]);
  expect(placed.filter(([, names]) => names?.length !== 1)).toEqual([]);
  for (const file of NOT_UNIT) expect(placed).toContainEqual([file, ['integration']]);
});

// This file is of the project "unit".
const REFUSED = /a test of the project "unit" starts a (server|process): take its file out of UNIT/;

it('a test of the project "unit" cannot start a server', () => {
  expect(() => createServer().listen(0)).toThrow(REFUSED);
});

it('a test of the project "unit" cannot start a process', () => {
  expect(() => spawn(process.execPath, ['--version'])).toThrow(REFUSED);
  expect(() => execFile(process.execPath, ['--version'])).toThrow(REFUSED);
});
