import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useStage } from '#support/command/command-stage.ts';
import {
  documentOf,
  refuses,
  runCommand,
  says,
  type RunOptions,
  runOnTerminal,
} from '#support/command/run-command.ts';
import { textWith } from '#support/assertions/index.ts';
import { CODE, DAY } from '#support/world/daybook-world.ts';

const EVENT = { merchantCode: CODE, day: DAY, send: false };

// The stage's directory has the files, too.
const stage = useStage('all', {}, ({ directory }) => {
  writeFileSync(join(directory, 'event.json'), JSON.stringify(EVENT));
  // An editor of Windows begins a file with a byte order mark.
  writeFileSync(join(directory, 'marked.json'), `\uFEFF${JSON.stringify(EVENT)}`);
  writeFileSync(join(directory, 'broken.json'), '{\n  "merchantCode": 700001,\n}');
});
const invoke = (args: readonly string[], options: RunOptions = {}) =>
  stage.runIn({ cwd: stage.directory, ...options }, 'invoke', ...args);

it.each([
  ['a file', 'event.json', {}],
  ['a file with a byte order mark', 'marked.json', {}],
  ['JSON text', JSON.stringify(EVENT), {}],
  ['stdin', '-', { input: JSON.stringify(EVENT) }],
])('runs a function with %s, and prints its answer', async (_, event, options) => {
  const run = await says(invoke(['daily-report', event], options), 0);
  expect(documentOf(run)).toMatchObject({ merchantCode: CODE, day: DAY, revision: 1 });
  expect(stage.invocations.at(-1)).toEqual({ name: 'daily-report', event: EVENT });
});

it('takes a sample by its name, of every function', async () => {
  const plan = await invoke(['plan', 'one-day', '--json', '--yes']);
  expect(plan).toMatchObject({ code: 0, stderr: '' });
  expect(documentOf(plan)).toMatchObject({ itemCount: 1 });
  await says(invoke(['sweep', 'sweep-now.json']), 0);
  // `mail-events` answers nothing.
  expect(documentOf(await says(invoke(['mail-events', 'delivered']), 0))).toBeNull();
});

it.each([
  ['plan', '{"kind":"daily"}'],
  ['plan', '{"kind":"daily","day":"2026-11-20","merchants":["700001"]}'],
  ['daily-report', '{"merchantCode":"700001"}'],
  ['daily-report', '{"merchantCode":"700001","to":["me@merchants.example"]}'],
  ['statement', '{"group":"shops"}'],
  ['alert-check', '{"merchantCode":"700001"}'],
])('asks before it runs what may mail a merchant: %s %s', async (name, event) => {
  const before = stage.invocations.length;
  await refuses(invoke([name, event]), 2, 'give --yes');
  expect(stage.invocations).toHaveLength(before);
});

it('says whom it may mail', async () => {
  const words = ['invoke', 'daily-report', '{"merchantCode":"700001"}', ...stage.options];
  const asked = await runOnTerminal(words, [['It may mail the recipients of 700001', 'n']], stage.directory);
  expect(asked).toMatchObject({ code: 1, written: textWith('Nothing was run.') });
});

it('lists the samples of a function without an event, and needs no stage for that', async () => {
  const sample =
    /^tick-dry-run +\{ "kind": "daily", "scheduledTime": "2026-11-21T03:00:00Z", "dryRun": true \}$/m;
  expect((await says(runCommand(['invoke', 'plan']), 0, sample)).stderr).toBe('');
  const samples = [{ name: 'sweep-now', event: {} }];
  expect(documentOf(await runCommand(['invoke', 'sweep', '--json']))).toEqual(samples);
  for (const name of ['announce', 'link', 'unsubscribe', 'prove'])
    await says(runCommand(['invoke', name]), 0, /^[a-z-]+ +\{/);
});

it('ends with the error of the function in one line', () => {
  const event = '{"merchantCode":"799999","day":"2026-11-20","send":false}';
  const line = /^daily-report ended with UnknownMerchantError: .*799999\..*\n$/;
  return refuses(invoke(['daily-report', event]), 1, line);
});

it.each([
  [['plans'], 2, /there is no function "plans": did you mean plan\? The functions are plan, daily-report, /],
  [
    ['announce', 'tell-a-day-again'],
    1,
    /^the stage "local" has no function announce: its settings do not ask for it\n$/,
  ],
  [['plan', 'none'], 2, /there is neither a file nor a sample "none".*tick/],
  [['plan', 'broken.json'], 2, /broken\.json is not JSON: line 3, column 1: /],
  [['plan', '{"kind"}'], 2, /the event is not JSON: line 1, column 8: /],
  [['plan', '-'], 2, /stdin is empty/],
  [['plan', '.'], 2, /\. cannot be read \(EISDIR\)/],
  [['daily-report', '{"merchantCode":"700001","day":"soon","send":false}'], 2, /^"day" of the event: /],
  [['sweep', '{"dry":true}'], 2, /^"dry" of the event: is not known here/],
])('refuses %j in one line', async (args, code, line) => {
  const run = await invoke(args);
  await refuses(run, code, line);
  expect(run.stderr).not.toContain('    at ');
});
