import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { membersOf, textWith } from '#support/assertions/index.ts';
import { LAST_GOOD, REGISTRY, useDesk } from '#support/command/command-stage.ts';
import { documentOf, refuses, says } from '#support/command/run-command.ts';

const FILE = 'merchants.json';

const desk = useDesk();
const { ownFile, writeOwnFile, ownMode, setOwnMode, files } = desk;
const run = (...args: string[]) => desk.run(['registry', ...args]);
const own = () => ownFile(FILE);
const write = (text: string) => writeOwnFile(FILE, text);
const stored = desk.registry;
const store = (text: string, key = REGISTRY) => desk.write(key, text);

function withMember(text: string, code: string, member: string): string {
  return text.replace(`"merchantCode":"${code}"`, `"merchantCode":"${code}",${member}`);
}

it('pulls the registry, shows what changes, and pushes it', async () => {
  expect(await run('pull')).toMatchObject({ code: 0, stderr: '' });
  expect(own()).toBe(await stored());
  expect(await run('diff')).toMatchObject({ code: 0, stdout: 'merchants.json is the registry of local.\n' });

  write(withMember(own(), '700002', '"reportAt":"07:30"'));
  const sentence = '700002: reports come at 07:30 (Asia/Kuwait) from tomorrow (2026-11-24).\n';
  expect(await run('diff')).toMatchObject({ code: 1, stdout: sentence });
  expect(await run('push')).toMatchObject({ code: 2, stderr: textWith('give --yes') });
  expect(own()).not.toBe(await stored());

  const done = 'The registry of local is changed. It takes effect the next time a function runs.\n';
  expect(await run('push', '--yes')).toEqual({ code: 0, stdout: `${sentence}${done}`, stderr: '' });
  expect(await stored()).toBe(own());
  await says(run('push'), 0, 'already');
});

it('does not push a registry with problems, and names them', async () => {
  await run('pull');
  const before = await stored();
  const wrong = withMember(own(), '700002', '"reciepients":[]');
  write(wrong.replace('"recipients"', '"reportAt":"25:00","recipients"'));
  await says(run('push', '--yes'), 1, 'reportAt', 'reciepients');
  write('{');
  await refuses(run('push', '--yes'), 1, 'daybook check merchants.json');
  expect(await stored()).toBe(before);
});

it('is not stopped by problems that the stage has already, nor by new ones when it is told so', async () => {
  await store(withMember(await stored(), '700001', '"colour":"green"'));
  await run('pull');
  write(withMember(own(), '700002', '"reportAt":"07:30"'));
  await says(run('push', '--yes'), 0);
  write(withMember(own(), '700002', '"colour":"green"'));
  expect(documentOf(await says(run('push', '--yes', '--json'), 1))).toMatchObject({ isWritten: false });
  await says(run('push', '--yes', '--with-problems'), 0);
  expect(await stored()).toBe(own());
});

it('writes nothing when somebody else changed the registry, and says how to go on', async () => {
  await run('pull');
  const text = withMember(own(), '700002', '"reportAt":"07:30"');
  write(text);
  const theirs = withMember(await stored(), '700001', '"language":"ar"');
  await store(theirs);

  await says(run('diff'), 1, 'Somebody else changed the registry since you pulled it');
  await refuses(run('push', '--yes'), 1, 'keeps your text');
  expect(await stored()).toBe(theirs);
  const kept = / If it is overwritten, they are kept in merchants\.json\.mine\.\n.*07:30/;
  await refuses(run('pull'), 2, kept);
  expect(own()).toBe(text);
  await says(run('pull', '--yes'), 0);
  expect([own(), ownFile(`${FILE}.mine`)]).toEqual([theirs, text]);
  write(text.replace('07:30', '08:30'));
  await refuses(run('pull'), 2, 'they are kept in merchants.json.mine, in place of what it has.');
});

it('does not push a file that was not pulled over the registry of the stage', async () => {
  const before = await stored();
  write(withMember(before, '700002', '"reportAt":"07:30"'));
  await refuses(run('push', '--yes'), 1, 'was not pulled from local');
  expect(await stored()).toBe(before);
});

/** The last good registry has the two merchants of the stage, and a person has taken one out of the file. */
async function removeOne() {
  await run('pull');
  const before = own();
  await store(before, LAST_GOOD);
  const registry = membersOf(JSON.parse(before));
  const [kept] = [registry['merchants']].flat();
  const text = JSON.stringify({ ...registry, merchants: [kept] });
  write(text);
  return { before, text };
}
const lastGood = () => desk.read(LAST_GOOD);

it('writes nothing that the functions would not use', async () => {
  const { before } = await removeOne();
  expect(documentOf(await says(run('push', '--yes', '--json'), 1))).toMatchObject({
    isWritten: false,
    changes: ['1 merchant is removed: 700002. Reports and alerts stop.'],
    warning: textWith('which is more than 5 %'),
  });
  const accept = 'npx daybook registry push merchants.json --accept-removals --local';
  const { stderr } = await says(run('push', '--yes'), 1, 'Nothing was written', accept);
  const lacks = 'the registry config/merchants.json lacks 1 of';
  expect(stderr).toContain(`Warning: if this were the registry: ${lacks}`);
  expect([await stored(), await lastGood()]).toEqual([before, before]);
});

it('takes removed merchants out of the last good registry when it is asked to', async () => {
  const { text } = await removeOne();
  const pushed = documentOf(await says(run('push', '--accept-removals', '--yes', '--json'), 0));
  expect(pushed).toMatchObject({ isWritten: true, warning: null, accepted: ['700002'] });
  expect(await stored()).toBe(text);
  expect(await lastGood()).not.toContain('700002');
});

it('accepts removals afterwards, too, when the registry is that text already', async () => {
  const { text } = await removeOne();
  await store(text);
  await says(run('push', '--yes'), 1, 'It takes no effect', '--accept-removals');
  await says(run('push', '--accept-removals', '--yes'), 0, 'the removals are accepted');
  expect(await lastGood()).not.toContain('700002');
  await says(run('push', '--accept-removals', '--yes'), 0, 'already');
});

it('changes nothing when somebody else is faster, neither the registry nor the last good one', async () => {
  const { before } = await removeOne();
  const theirs = withMember(before, '700001', '"language":"ar"');
  desk.aws.faults.add({ operation: 'PutObject', action: { kind: 'call', before: () => store(theirs) } });
  const { stderr } = await says(run('push', '--accept-removals', '--yes'), 1);
  expect(stderr).toContain('nothing was written');
  expect([await stored(), await lastGood()]).toEqual([theirs, before]);
});

it('says the truth when the registry is written and the last good one cannot be', async () => {
  const { text, before } = await removeOne();
  let writes = 0;
  const theirs = async () => store(`${before}${' '.repeat((writes += 1))}`, LAST_GOOD);
  const action = { kind: 'call', before: theirs } as const;
  desk.aws.faults.add({ operation: 'PutObject', skip: 1, times: 5, action });
  const changed = 'The registry of local is changed.';
  await says(run('push', '--accept-removals', '--yes'), 1, 'It takes no effect', changed);
  expect(await stored()).toBe(text);
  await says(run('push', '--accept-removals', '--yes'), 0);
});

it('shows no address where a program reads it', async () => {
  await run('pull');
  write(own().replace('"recipients":[', '"recipients":["somebody@example.com",'));
  for (const shown of [await run('diff'), await run('diff', '--json'), await run('push', '--yes')]) {
    expect(shown.stdout + shown.stderr).not.toContain('@example.com');
    expect(shown.stdout).toContain('added');
  }
});

it('says what is missing: a file, or the first folder', async () => {
  // 1 would say to a script that the file differs.
  for (const verb of ['push', 'diff']) await refuses(run(verb), 2, 'daybook registry pull');
  const line = 'none/of/these/merchants.json cannot be written: there is no folder none\n';
  expect(await run('pull', 'none/of/these/merchants.json')).toMatchObject({ code: 1, stderr: line });
});

it('writes files that only their owner may read, whatever was there', async () => {
  await run('pull', FILE);
  expect([ownMode(FILE), ownMode(`.${FILE}.pulled`)]).toEqual([0o600, 0o600]);
  for (const name of [FILE, `.${FILE}.pulled`]) setOwnMode(name, 0o666);
  await run('pull', FILE, '--yes');
  expect([ownMode(FILE), ownMode(`.${FILE}.pulled`)]).toEqual([0o600, 0o600]);
  expect(files().toSorted()).toEqual([`.${FILE}.pulled`, FILE]);
});

it.each([FILE, `.${FILE}.pulled`])('follows no link that somebody put there: %s', async (name) => {
  writeOwnFile('victim', 'private');
  symlinkSync('victim', desk.own(name));
  await refuses(run('pull', '--yes'), 1, `${name} is a link`);
  expect(ownFile('victim')).toBe('private');
});

it.each([['pull', '--yes'], ['diff']])('waits for no pipe in place of the file: %j', async (...words) => {
  execFileSync('mkfifo', [desk.own(FILE)]);
  expect(await run(...words)).toMatchObject({ code: 1, stderr: `${FILE} is not a file\n` });
});

it('cannot be made to print a line of its own by the name of a file', async () => {
  const name = 'a.json\nThe registry of prod is changed.\u001b[2K';
  const pulled = await says(run('pull', name), 0);
  expect(pulled.stdout.trimEnd().split('\n')).toHaveLength(1);
  const same = await run('push', name);
  expect(same.stdout).toMatch(/^a\.json The registry of prod is changed\..* already\.\n$/);
  const missing = await run('push', `${name}2`);
  expect(missing.stderr.trimEnd().split('\n')).toHaveLength(1);
});
