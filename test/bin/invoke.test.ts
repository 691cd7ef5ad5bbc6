import { join } from 'node:path';
import { newDirectory } from '#support/machine.ts';
import { runScript } from '#support/run-script.ts';

const ROOT = join(import.meta.dirname, '../..');
const directory = join(newDirectory(), 'local');

const invoke = (...args: string[]) =>
  runScript(join(ROOT, 'bin/invoke.mjs'), [...args, '--directory', directory]);

/** The answer comes after the log, which has one JSON object on each line. */
function answerIn(stdout: string): unknown {
  return JSON.parse(stdout.slice(stdout.lastIndexOf('\n{\n') + 1));
}

it('runs one function with an event and prints its answer, and finds in a second run what the first one left', async () => {
  const words = ['daily-report', 'events/daily-report/seal-without-mail.json'];
  const first = await invoke(...words);
  expect(first).toMatchObject({ code: 0, complaints: '' });
  const sealed = { merchantCode: '700001', day: '2026-11-20', revision: 1 };
  expect(answerIn(first.out)).toMatchObject({ ...sealed, unchanged: false });
  expect(answerIn((await invoke(...words)).out)).toMatchObject({ ...sealed, unchanged: true });
});

it.each([
  [
    ['plans', 'events/plan/tick-dry-run.json'],
    /^there is no function "plans"; the functions are alert-check, announce, daily-report, /,
  ],
  [['plan', 'events/plan/none.json'], /^events\/plan\/none\.json cannot be read \(ENOENT\)\n$/],
  [['plan', 'README.md'], /^README\.md is not JSON\n$/],
  [['plan'], /^give a function and the file of its event; see --help\n$/],
])('ends with one line on stderr when it is started with %j', async (args, line) => {
  const { code, out, complaints } = await invoke(...args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(complaints).toMatch(line);
});
