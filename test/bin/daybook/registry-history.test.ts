import { textLike, textWith } from '#support/assertions/index.ts';
import { LAST_GOOD, REGISTRY, useDesk } from '#support/command/command-stage.ts';
import { documentOf, refuses, says } from '#support/command/run-command.ts';
import { BUCKET } from '#support/world/daybook-world.ts';

const JANE = 'arn:aws:sts::000000000000:assumed-role/Operators/jane';

let changed: string;

// Jane has changed a time at 08:00, and somebody at a console a language at 09:00.
const desk = useDesk({}, async () => {
  desk.aws.caller.arn = JANE;
  desk.stage.setTime('2026-11-23T08:00:00Z');
  await says(desk.run(['merchant', 'set', '700002', 'reportAt=07:30']), 0);
  desk.stage.setTime('2026-11-23T09:00:00Z');
  changed = await registry();
  const arabic = changed.replace('"merchantCode":"700001"', '"merchantCode":"700001","language":"ar"');
  await write(REGISTRY, arabic);
  desk.stage.setTime('2026-11-23T10:00:00Z');
});
const { registry, write } = desk;
const run = (...args: string[]) => desk.run(['registry', ...args]);

it('says who changed the registry, when, and what, and which number takes it back', async () => {
  const lines = [
    '^0  2026-11-23 09:00 UTC  not known: not written with this command',
    '   700001: language changes from "en" to "ar".',
    '1  2026-11-23 08:00 UTC  jane \\(Operators\\)',
    '   700002: reports come at 07:30 \\(Asia/Kuwait\\) from tomorrow \\(2026-11-24\\).',
    '2  2026-11-21 04:00 UTC  not known: .*',
    '   The oldest version that is kept and can be used.\n$',
  ];
  const told = await says(run('history'), 0, new RegExp(lines.join('\n')));
  expect(told.stderr).toContain('daybook registry rollback 1');
  const newest = { number: 0, by: null, changes: [textWith('700001: language')] };
  expect(documentOf(await run('history', '--last', '1', '--json'))).toMatchObject({ versions: [newest] });
  expect((await run('history', '--last', '1')).stderr).toContain('2 older: --last 3 shows them.');
});

it('takes a change back as a new version, checked and asked like a push', async () => {
  expect(await run('rollback', '1')).toMatchObject({ code: 2, stderr: textWith('give --yes') });
  const back = /^700001: language changes from "ar" to "en"\.\nThe registry of local is changed\./;
  await says(run('rollback', '1', '--yes'), 0, back);
  expect(await registry()).toBe(changed);
  await says(run('history'), 0, /^0 {2}2026-11-23 10:00 UTC {2}jane \(Operators\)\n.*"ar" to "en"/);
  // The same text again: nothing to write.
  await says(run('rollback', '2', '--yes'), 0, /^version 2 of .* already\.$/m);
  await write(LAST_GOOD, changed.replace('"700002"', '"700003"'));
  await says(run('rollback', '1', '--yes'), 1, 'daybook registry rollback 1 --accept-removals');
});

it('writes nothing when somebody else changes the registry at this moment', async () => {
  const theirs = `${await registry()} `;
  for (const operation of ['GetObjectVersion', 'PutObject']) {
    const change = () =>
      desk.aws.s3.write(BUCKET, REGISTRY, operation === 'PutObject' ? `${theirs} ` : theirs);
    desk.aws.faults.add({ operation, action: { kind: 'call', before: change } });
    const line = /^nothing was written: somebody else .* daybook registry history/;
    expect(await run('rollback', '1', '--yes'), operation).toMatchObject({ code: 1, stderr: textLike(line) });
  }
  expect(await registry()).toBe(`${theirs} `);
});

it.each([
  ['9', 1, 'the bucket has no version 9 of the registry'],
  ['0', 2, 'It must be a whole number from 1 on'],
  ['one', 2, 'It must be a whole number from 1 on'],
])('refuses what is no version: %s', async (number, code, stderr) => {
  await refuses(run('rollback', number, '--yes'), code, stderr);
});

it('goes on with versions that cannot be used, and with a registry that was removed', async () => {
  const good = await registry();
  await write(LAST_GOOD, good);
  await write(REGISTRY, '{');
  const broken = /^0 .*\n {3}It cannot be used: .*\n1 .*\n {3}700001: language/;
  expect((await says(run('history'), 1, broken)).stderr).toContain('this registry is not used');
  await write(REGISTRY, good.replace('"ar"', '"en"'));
  // Its neighbour is no registry: it is compared with the one before.
  await says(run('history', '--last', '1'), 0, '700001: language changes from "ar" to "en".');
  await write(REGISTRY, '{');
  // What it replaces is no registry: it is compared with the one in force.
  await says(run('rollback', '4', '--yes'), 0, /^700001: language/);
  await refuses(run('rollback', '1', '--yes'), 1, 'version 1 of 2026-11-23 10:00 UTC cannot be used');
  await desk.aws.s3.remove(BUCKET, REGISTRY);
  await says(run('history'), 1, /^0 .*\n {3}The registry was removed\.\n1 /);
  await says(run('rollback', '1', '--yes'), 0);
  expect(await registry()).not.toBe('');
});

it('goes back from what is no registry in spite of problems that were there before', async () => {
  const known = (await registry()).replace('"language":"ar"', '"language":"ar","colour":"green"');
  await write(REGISTRY, known);
  await write(LAST_GOOD, known);
  await write(REGISTRY, '{');
  expect(await run('rollback', '1', '--yes')).toMatchObject({ code: 0 });
  expect(await registry()).toBe(known);
});

it('writes a change also where nobody says who calls', async () => {
  desk.aws.faults.add({ service: 'sts', action: { kind: 'error', status: 403, code: 'AccessDenied' } });
  expect(await run('rollback', '1', '--yes')).toMatchObject({ code: 0 });
  expect((await run('history')).stdout).toMatch(/^0 .*not known/);
});

it('shows the newest first of more versions than S3 lists at once', async () => {
  const text = await registry();
  for (let index = 0; index < 1_001; index += 1) await write(REGISTRY, `${text}${' '.repeat(index % 2)}`);
  desk.stage.setTime('2026-11-23T11:00:00Z');
  expect((await run('history', '--last', '1')).stderr).toContain('1003 older');
});
