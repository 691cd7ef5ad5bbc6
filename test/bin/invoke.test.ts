import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
let directory: string;

function invoke(...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(ROOT, 'bin/invoke.mjs'), ...args, '--directory', directory],
      { timeout: 25_000 },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : error.code, stdout, stderr });
      },
    );
  });
}

/** The answer comes after the log, which has one JSON object on each line. */
function answerIn(stdout: string): unknown {
  return JSON.parse(stdout.slice(stdout.lastIndexOf('\n{\n') + 1));
}

beforeAll(async () => {
  directory = join(await mkdtemp(join(tmpdir(), 'daybook-invoke-')), 'local');
});

afterAll(async () => {
  await rm(join(directory, '..'), { recursive: true });
});

it('runs one function with an event and prints its answer', async () => {
  const { code, stdout, stderr } = await invoke('daily-report', 'events/daily-report/seal-without-mail.json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(answerIn(stdout)).toMatchObject({
    merchantCode: '700001',
    day: '2026-11-20',
    revision: 1,
    unchanged: false,
  });
});

it('finds in a second run what the first one left', async () => {
  const { stdout } = await invoke('daily-report', 'events/daily-report/seal-without-mail.json');
  expect(answerIn(stdout)).toMatchObject({ revision: 1, unchanged: true });
});

it.each([
  [
    ['plans', 'events/plan/tick-dry-run.json'],
    /^there is no function "plans"; the functions are alert-check, daily-report, /,
  ],
  [['plan', 'events/plan/none.json'], /^events\/plan\/none\.json cannot be read \(ENOENT\)\n$/],
  [['plan', 'README.md'], /^README\.md is not JSON\n$/],
  [['plan'], /^give a function and the file of its event; see --help\n$/],
])('ends with one line on stderr when it is started with %j', async (args, line) => {
  const { code, stdout, stderr } = await invoke(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(line);
});
