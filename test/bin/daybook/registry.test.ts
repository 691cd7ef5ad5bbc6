import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { recordOf } from '#support/assertions/record-of.ts';
import { textLike } from '#support/assertions/text-like.ts';
import { textWith } from '#support/assertions/text-with.ts';
import { REGISTRY, startDesk } from '#support/command/operator-desk.ts';
import { documentOf } from '#support/command/run-command.ts';
import { BUCKET } from '#support/world/daybook-world.ts';

const FILE = 'merchants.json';
const LAST_GOOD = 'config/last-good/merchants.json';

async function startWork() {
  const desk = await startDesk();
  return {
    run: (...args: string[]) => desk.run(['registry', ...args]),
    own: () => desk.ownFile(FILE),
    mine: () => desk.ownFile(`${FILE}.mine`),
    write: (text: string) => desk.writeOwnFile(FILE, text),
    stored: desk.registry,
    store: (text: string, key = REGISTRY) => desk.write(key, text),
    aws: desk.aws,
  };
}

function withMember(text: string, code: string, member: string): string {
  return text.replace(`"merchantCode":"${code}"`, `"merchantCode":"${code}",${member}`);
}

it('pulls the registry, shows what changes, and pushes it', async () => {
  const { run, own, write, stored } = await startWork();
  expect(await run('pull')).toMatchObject({ code: 0, stderr: '' });
  expect(own()).toBe(await stored());
  expect(await run('diff')).toMatchObject({ code: 0, stdout: 'merchants.json is the registry of local.\n' });

  write(withMember(own(), '700002', '"reportAt":"07:30"'));
  const sentence = '700002: reports come at 07:30 (Asia/Kuwait) from tomorrow (2026-11-24).\n';
  expect(await run('diff')).toMatchObject({ code: 1, stdout: sentence });
  expect(await run('push')).toMatchObject({ code: 2, stderr: textWith('give --yes') });
  expect(own()).not.toBe(await stored());

  const pushed = await run('push', '--yes');
  expect(pushed).toMatchObject({ code: 0, stderr: '' });
  expect(pushed.stdout).toBe(
    `${sentence}The registry of local is changed. It takes effect the next time a function runs.\n`,
  );
  expect(await stored()).toBe(own());
  expect(await run('push')).toMatchObject({ code: 0, stdout: textWith('already') });
});

it('does not push a registry with problems, and names them', async () => {
  const { run, own, write, stored } = await startWork();
  await run('pull');
  const before = await stored();
  write(
    withMember(own(), '700002', '"reciepients":[]').replace(
      '"recipients"',
      '"reportAt":"25:00","recipients"',
    ),
  );
  const pushed = await run('push', '--yes');
  expect(pushed).toMatchObject({ code: 1, stdout: textWith('reportAt') });
  expect(pushed.stdout).toContain('reciepients');
  write('{');
  expect(await run('push', '--yes')).toMatchObject({
    code: 1,
    stderr: textWith('daybook check merchants.json'),
  });
  expect(await stored()).toBe(before);
});

it('is not stopped by problems that the stage has already, nor by new ones when it is told so', async () => {
  const { run, own, write, stored, store } = await startWork();
  await store(withMember(await stored(), '700001', '"colour":"green"'));
  await run('pull');
  write(withMember(own(), '700002', '"reportAt":"07:30"'));
  expect(await run('push', '--yes')).toMatchObject({ code: 0 });
  write(withMember(own(), '700002', '"colour":"green"'));
  const refused = await run('push', '--yes', '--json');
  expect(refused.code).toBe(1);
  expect(documentOf(refused)).toMatchObject({ isWritten: false });
  expect(await run('push', '--yes', '--with-problems')).toMatchObject({ code: 0 });
  expect(await stored()).toBe(own());
});

it('writes nothing when somebody else changed the registry, and says how to go on', async () => {
  const { run, own, write, stored, store, mine } = await startWork();
  await run('pull');
  const text = withMember(own(), '700002', '"reportAt":"07:30"');
  write(text);
  const theirs = withMember(await stored(), '700001', '"language":"ar"');
  await store(theirs);

  expect((await run('diff')).stdout).toContain('Somebody else changed the registry since you pulled it');
  expect(await run('push', '--yes')).toMatchObject({ code: 1, stderr: textWith('keeps your text') });
  expect(await stored()).toBe(theirs);
  expect(await run('pull')).toMatchObject({
    code: 2,
    stderr: textLike(/ If it is overwritten, they are kept in merchants\.json\.mine\.\n.*07:30/),
  });
  expect(own()).toBe(text);
  expect(await run('pull', '--yes')).toMatchObject({ code: 0 });
  expect([own(), mine()]).toEqual([theirs, text]);
  write(text.replace('07:30', '08:30'));
  expect(await run('pull')).toMatchObject({
    code: 2,
    stderr: textWith('they are kept in merchants.json.mine, in place of what it has.'),
  });
});

it('does not push a file that was not pulled over the registry of the stage', async () => {
  const { run, write, stored } = await startWork();
  const before = await stored();
  write(withMember(before, '700002', '"reportAt":"07:30"'));
  expect(await run('push', '--yes')).toMatchObject({
    code: 1,
    stderr: textWith('was not pulled from local'),
  });
  expect(await stored()).toBe(before);
});

/** A stage whose last good registry has its two merchants, and a person who has taken one out of the file. */
async function startRemoval() {
  const work = await startWork();
  await work.run('pull');
  const before = work.own();
  await work.store(before, LAST_GOOD);
  const registry = recordOf(JSON.parse(before));
  const [kept] = [registry['merchants']].flat();
  const text = JSON.stringify({ ...registry, merchants: [kept] });
  work.write(text);
  const lastGood = async () => (await work.aws.s3.read(BUCKET, LAST_GOOD))?.toString('utf8');
  return { ...work, before, text, lastGood };
}

it('writes nothing that the functions would not use', async () => {
  const { run, stored, before, lastGood } = await startRemoval();
  const pushed = await run('push', '--yes', '--json');
  expect(pushed.code).toBe(1);
  expect(documentOf(pushed)).toMatchObject({
    isWritten: false,
    changes: ['1 merchant is removed: 700002. Reports and alerts stop.'],
    warning: textWith('which is more than 5 %'),
  });
  const told = await run('push', '--yes');
  expect(told.stderr).toContain(
    'Warning: if this were the registry: the registry config/merchants.json lacks 1 of',
  );
  expect(told.stdout).toContain('Nothing was written');
  expect(told.stdout).toContain('npx daybook registry push merchants.json --accept-removals --local');
  expect([await stored(), await lastGood()]).toEqual([before, before]);
});

it('takes removed merchants out of the last good registry when it is asked to', async () => {
  const { run, stored, text, lastGood } = await startRemoval();
  const pushed = await run('push', '--accept-removals', '--yes', '--json');
  expect(pushed.code).toBe(0);
  expect(documentOf(pushed)).toMatchObject({ isWritten: true, warning: null, accepted: ['700002'] });
  expect(await stored()).toBe(text);
  expect(await lastGood()).not.toContain('700002');
});

it('accepts removals afterwards, too, when the registry is that text already', async () => {
  const { run, store, text, lastGood } = await startRemoval();
  await store(text);
  const told = await run('push', '--yes');
  expect(told).toMatchObject({ code: 1, stdout: textWith('It takes no effect') });
  expect(told.stdout).toContain('--accept-removals');
  const pushed = await run('push', '--accept-removals', '--yes');
  expect(pushed).toMatchObject({ code: 0, stdout: textWith('the removals are accepted') });
  expect(await lastGood()).not.toContain('700002');
  expect(await run('push', '--accept-removals', '--yes')).toMatchObject({
    code: 0,
    stdout: textWith('already'),
  });
});

it('changes nothing when somebody else is faster, neither the registry nor the last good one', async () => {
  const { run, aws, stored, store, before, lastGood } = await startRemoval();
  const theirs = withMember(before, '700001', '"language":"ar"');
  aws.faults.add({ operation: 'PutObject', action: { kind: 'call', before: () => store(theirs) } });
  const pushed = await run('push', '--accept-removals', '--yes');
  expect(pushed).toMatchObject({ code: 1, stderr: textWith('nothing was written') });
  expect([await stored(), await lastGood()]).toEqual([theirs, before]);
});

it('says the truth when the registry is written and the last good one cannot be', async () => {
  const { run, aws, stored, store, text, before } = await startRemoval();
  let writes = 0;
  const theirs = async () => store(`${before}${' '.repeat((writes += 1))}`, LAST_GOOD);
  aws.faults.add({
    operation: 'PutObject',
    skip: 1,
    times: 5,
    action: { kind: 'call', before: theirs },
  });
  const pushed = await run('push', '--accept-removals', '--yes');
  expect(pushed).toMatchObject({ code: 1, stdout: textWith('It takes no effect') });
  expect(pushed.stdout).toContain('The registry of local is changed.');
  expect(await stored()).toBe(text);
  expect(await run('push', '--accept-removals', '--yes')).toMatchObject({ code: 0 });
});

it('shows no address where a program reads it', async () => {
  const { run, own, write } = await startWork();
  await run('pull');
  write(own().replace('"recipients":[', '"recipients":["somebody@example.com",'));
  for (const shown of [await run('diff'), await run('diff', '--json'), await run('push', '--yes')]) {
    expect(shown.stdout + shown.stderr).not.toContain('@example.com');
    expect(shown.stdout).toContain('added');
  }
});

it('says what is missing: a file, a registry', async () => {
  const { run } = await startWork();
  // 1 would say to a script that the file differs.
  for (const verb of ['push', 'diff'])
    expect(await run(verb)).toMatchObject({ code: 2, stderr: textWith('daybook registry pull') });
});

it('names the folder that is missing, the first one', async () => {
  const { run } = await startWork();
  expect(await run('pull', 'none/of/these/merchants.json')).toMatchObject({
    code: 1,
    stderr: 'none/of/these/merchants.json cannot be written: there is no folder none\n',
  });
});

it('writes files that only their owner may read, whatever was there', async () => {
  const { run, ownMode, setOwnMode, files } = await startDesk();
  await run(['registry', 'pull', FILE]);
  expect([ownMode(FILE), ownMode(`.${FILE}.pulled`)]).toEqual([0o600, 0o600]);
  for (const name of [FILE, `.${FILE}.pulled`]) setOwnMode(name, 0o666);
  await run(['registry', 'pull', FILE, '--yes']);
  expect([ownMode(FILE), ownMode(`.${FILE}.pulled`)]).toEqual([0o600, 0o600]);
  expect(files().toSorted()).toEqual([`.${FILE}.pulled`, FILE]);
});

it.each([FILE, `.${FILE}.pulled`])('follows no link that somebody put there: %s', async (name) => {
  const { run, cwd, ownFile, writeOwnFile } = await startDesk();
  writeOwnFile('victim', 'private');
  symlinkSync('victim', join(cwd, name));
  const pulled = await run(['registry', 'pull', '--yes']);
  expect(pulled).toMatchObject({ code: 1, stderr: textWith(`${name} is a link`) });
  expect(ownFile('victim')).toBe('private');
});

it.each([
  ['registry', 'pull', '--yes'],
  ['registry', 'diff'],
])('waits for no pipe in place of the file: %j', async (...words) => {
  const { run, cwd } = await startDesk();
  execFileSync('mkfifo', [join(cwd, FILE)]);
  expect(await run(words)).toMatchObject({ code: 1, stderr: `${FILE} is not a file\n` });
});

it('cannot be made to print a line of its own by the name of a file', async () => {
  const { run } = await startDesk();
  const name = 'a.json\nThe registry of prod is changed.\u001b[2K';
  const pulled = await run(['registry', 'pull', name]);
  expect(pulled.code).toBe(0);
  expect(pulled.stdout.trimEnd().split('\n')).toHaveLength(1);
  const same = await run(['registry', 'push', name]);
  expect(same.stdout).toMatch(/^a\.json The registry of prod is changed\..* already\.\n$/);
  const missing = await run(['registry', 'push', `${name}2`]);
  expect(missing.stderr.trimEnd().split('\n')).toHaveLength(1);
});
