import { expect, it } from 'vitest';
import { sandboxMerchant } from '#sandbox/payments/index.ts';
import { recordOf } from '#support/assertions/record-of.ts';
import { textLike } from '#support/assertions/text-like.ts';
import { textWith } from '#support/assertions/text-with.ts';
import { REGISTRY, entryOf, startDesk } from '#support/command/operator-desk.ts';
import { documentOf } from '#support/command/run-command.ts';
import { SECRET } from '#support/world/daybook-world.ts';
import { setTimeout } from 'node:timers/promises';

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Kills a process, and waits until it is gone and its connections are closed. A busy machine takes its time for that. */
async function killAndWait(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  for (let look = 0; look < 1_000 && isThere(pid); look += 1) await setTimeout(10);
  await setTimeout(100);
}

const FIRST = sandboxMerchant(0).merchantCode;
const NEW = sandboxMerchant(2).merchantCode;
const LAST_GOOD = 'config/last-good/merchants.json';
const INPUT = JSON.stringify(entryOf(2));
const OWN_SECRETS = { CREDENTIALS_PREFIX: 'daybook/own/' };

/** A desk of a stage with three or more merchants at the service. Daybook knows the first two. */
async function startWithout(environment: Record<string, string> = {}, atService = 3) {
  const desk = await startDesk({ merchants: atService, environment });
  const registry = recordOf(JSON.parse(await desk.registry()));
  const merchants = [registry['merchants']].flat().slice(0, 2);
  await desk.write(REGISTRY, `${JSON.stringify({ ...registry, note: 'of a person', merchants }, null, 2)}\n`);
  desk.aws.secrets.put(SECRET, JSON.stringify({ merchants: { [FIRST]: entryOf(0) } }));
  return desk;
}

/** Everything that a command printed, which must have no credentials. */
function assertNoValues({ stdout, stderr }: { stdout: string; stderr: string }): void {
  const { accessCode, cipher, password } = entryOf(2);
  for (const value of [accessCode, cipher.key, cipher.iv, password]) {
    expect(stdout).not.toContain(value);
    expect(stderr).not.toContain(value);
  }
}

const ADD = ['merchant', 'add', NEW, '--recipients', `owner-${NEW}@merchants.example`];

it('adds a merchant: proves the credentials, and writes the secret and the registry', async () => {
  const { run, registry, entry, secret, payments } = await startWithout();
  const before = await registry();
  const added = await run([...ADD, '--name', 'Palm Café', '--report-at', '07:30', '--dry-run'], INPUT);
  assertNoValues(added);
  expect(added).toMatchObject({ code: 0, stderr: textWith('The service takes the credentials.') });
  expect(added.stdout).toContain('2026-11-22');
  expect(added.stdout).toContain(
    `${NEW} gets its reports at 07:30 (Asia/Kuwait), first the report of 2026-11-23.`,
  );
  expect(entry(NEW)).toEqual(entryOf(2));
  expect(secret()).toContain(FIRST);
  const after = await registry();
  expect(after.startsWith(before.slice(0, before.indexOf('"merchants"')))).toBe(true);
  expect(recordOf(JSON.parse(after))['merchants']).toContainEqual({
    merchantCode: NEW,
    name: 'Palm Café',
    recipients: [`owner-${NEW}@merchants.example`],
    reportAt: '07:30',
    reportFrom: '2026-11-23',
  });
  expect(payments.requests.filter(({ operation }) => operation === 'login').length).toBeGreaterThan(0);
});

it('asks on a terminal for everything, and shows no credential', async () => {
  const { runOnTerminal, entry, registry } = await startWithout();
  const { accessCode, cipher, username, password } = entryOf(2);
  const added = await runOnTerminal(
    ['merchant', 'add'],
    [
      ["The merchant's code", `${NEW}\r`],
      ['Name in the mails', 'Palm Café\r'],
      ['Recipients', 'owner@merchants.example\r'],
      ['Language', '\r'],
      ['Time zone', '\r'],
      // Typing replaces the default.
      ['reported at', '07:30\r'],
      ['Access code', `${accessCode}\r`],
      ['Encryption key', `${cipher.key}x\r`],
      ['It must have 32 bytes', `\u007f\r`],
      ['IV, 16 bytes', `${cipher.iv}\r`],
      ['User name', `${username}\r`],
      ['Password', `${password}\r`],
      ["Make yesterday's report", 'n'],
      ['as a preview to', '\r'],
    ],
  );
  assertNoValues({ stdout: added.written, stderr: '' });
  expect(added).toMatchObject({ code: 0, written: textWith(`${NEW} gets its reports at 07:30`) });
  expect(entry(NEW)).toEqual(entryOf(2));
  expect(recordOf(JSON.parse(await registry()))['merchants']).toContainEqual({
    merchantCode: NEW,
    name: 'Palm Café',
    recipients: ['owner@merchants.example'],
    reportAt: '07:30',
    reportFrom: '2026-11-23',
  });
}, 120_000);

it('changes nothing when Ctrl-C is pressed at a question', async () => {
  const { runOnTerminal, secret, registry } = await startWithout();
  const [before, values] = [await registry(), secret()];
  const ended = await runOnTerminal(['merchant', 'add', NEW], [['Name in the mails', '\u0003']]);
  expect(ended).toMatchObject({ code: 130, written: textWith('nothing was changed') });
  expect(await registry()).toBe(before);
  expect(secret()).toBe(values);
}, 120_000);

it('mails a preview when it is asked to', async () => {
  const { run, stage } = await startWithout();
  const added = await run([...ADD, '--preview', `owner-${NEW}@merchants.example`, '--json', '--yes'], INPUT);
  expect(added.code).toBe(0);
  expect(documentOf(added)).toMatchObject({ merchantCode: NEW, preview: { mail: { status: 'preview' } } });
  expect(stage.world.mails('preview')).toHaveLength(1);
});

it('says that the merchant is added when the preview cannot go to that address', async () => {
  const { run } = await startWithout();
  expect(await run([...ADD, '--preview', 'me@gmail.com', '--yes'], INPUT)).toMatchObject({
    code: 2,
    stderr: textWith(
      `${NEW} is added, and the try failed: --preview: is neither an address of this merchant`,
    ),
  });
});

it('writes nothing when the service does not take the credentials', async () => {
  const { run, registry, secret } = await startWithout();
  const [before, values] = [await registry(), secret()];
  const wrong = JSON.stringify({ ...entryOf(2), password: 'wrong' });
  const added = await run(ADD, wrong);
  assertNoValues(added);
  expect(added).toMatchObject({ code: 1, stdout: '', stderr: textWith('nothing was written') });
  expect(await registry()).toBe(before);
  expect(secret()).toBe(values);
});

it('says what was written when a step fails, and goes on when it runs again', async () => {
  const { run, aws, entry, registry } = await startWithout();
  aws.faults.add({
    service: 's3',
    operation: 'PutObject',
    times: Infinity,
    action: { kind: 'error', status: 403, code: 'AccessDenied', message: 'no' },
  });
  expect(await run(ADD, INPUT)).toMatchObject({
    code: 1,
    stderr: textWith(`Written: the credentials in ${SECRET}. Not written: the entry in the registry.`),
  });
  expect(entry(NEW)).toEqual(entryOf(2));
  expect(await registry()).not.toContain(NEW);
  aws.faults.clear();
  expect(await run(ADD)).toMatchObject({ code: 0, stderr: textWith('they are used') });
  expect(await registry()).toContain(NEW);
  // Once more changes nothing.
  const after = await registry();
  expect(await run(['merchant', 'add', NEW])).toMatchObject({
    code: 0,
    stderr: textWith('Nothing had to be written.'),
  });
  expect(await registry()).toBe(after);
});

it('adds a merchant with a secret of its own, under the prefix only', async () => {
  const { run, entry, registry } = await startWithout(OWN_SECRETS);
  expect(await run([...ADD, '--secret-id', 'elsewhere'], INPUT)).toMatchObject({
    code: 1,
    stderr: textWith('must begin with daybook/own/'),
  });
  expect(await run([...ADD, '--secret-id', `daybook/own/${NEW}`], INPUT)).toMatchObject({ code: 0 });
  expect(entry(NEW, `daybook/own/${NEW}`)).toEqual(entryOf(2));
  expect(await registry()).toContain(`"secretId": "daybook/own/${NEW}"`);
});

it.each([
  [['merchant', 'add'], "give the merchant's code"],
  [['merchant', 'add', NEW], 'give --recipients'],
  [[...ADD, '--report-at', '7'], 'HH:MM'],
  [['merchant', 'set', FIRST, 'reciepients=a@example.com'], 'did you mean recipients?'],
  [['merchant', 'remove', FIRST], 'give --yes'],
])('refuses %j as wrong usage', async (args, says) => {
  const { run, registry } = await startWithout();
  const before = await registry();
  expect(await run(args, INPUT)).toMatchObject({ code: 2, stderr: textWith(says) });
  expect(await registry()).toBe(before);
});

it('sets members, and changes nothing else in the file', async () => {
  const { run, registry } = await startWithout();
  const before = await registry();
  const set = await run(['merchant', 'set', FIRST, 'reportAt=07:30', 'branding.senderName=Al Noor']);
  expect(set).toMatchObject({ code: 0, stderr: '' });
  expect(set.stdout).toContain(`${FIRST}: reports come at 07:30 (Asia/Kuwait) from tomorrow (2026-11-24).`);
  const after = await registry();
  const lines = new Set(before.split('\n'));
  const written = [
    '      ],',
    '      "reportAt": "07:30",',
    '      "branding": {',
    '        "senderName": "Al Noor"',
  ];
  const isNew = (line: string) => !lines.has(line);
  expect(after.split('\n').filter(isNew)).toEqual(written.filter(isNew));
  expect(await run(['merchant', 'set', FIRST, 'reportAt=', 'branding='])).toMatchObject({ code: 0 });
  expect(await registry()).toBe(before);
  expect(await run(['merchant', 'set', FIRST, 'reportAt='])).toMatchObject({ stdout: textWith('already') });
});

it('reads a registry that begins with a byte order mark, as the functions do', async () => {
  const { run, registry, write } = await startWithout();
  const marked = `\uFEFF${await registry()}`;
  for (const words of [
    ['list'],
    ['set', FIRST, 'reportAt=07:30'],
    ['add', FIRST],
    ['remove', FIRST, '--yes'],
  ]) {
    await write(REGISTRY, marked);
    expect(await run(['merchant', ...words]), words.join(' ')).toMatchObject({ code: 0 });
  }
});

it('does not write a value that would be a problem', async () => {
  const { run, registry, writeOwnFile } = await startWithout();
  const before = await registry();
  writeOwnFile('rules.json', '[{"name":"too-many","measure":"unpayedCount","above":5}]');
  const set = await run(['merchant', 'set', FIRST, 'alerts=@rules.json']);
  expect(set).toMatchObject({ code: 1, stderr: textWith('measure') });
  expect(await registry()).toBe(before);
});

it('removes a merchant, also from the last good registry, and keeps its credentials unless they are to go', async () => {
  const { run, registry, entry, read, write } = await startWithout();
  const before = await registry();
  expect(await run(['merchant', 'remove', '709999', '--yes'])).toMatchObject({
    code: 1,
    stderr: textWith('no merchant "709999"'),
  });
  const removed = await run(['merchant', 'remove', FIRST, '--yes']);
  expect(removed).toMatchObject({ code: 0, stdout: textWith(`${FIRST} is removed.`) });
  expect(await registry()).not.toContain(`"${FIRST}"`);
  expect(entry(FIRST)).toEqual(entryOf(0));
  await write(REGISTRY, before);
  await write(LAST_GOOD, before);
  const withSecret = await run(['merchant', 'remove', FIRST, '--with-secret', '--yes']);
  expect(withSecret).toMatchObject({ code: 0, stdout: textWith('It takes effect') });
  expect(entry(FIRST)).toBeUndefined();
  expect(withSecret.stderr).not.toContain('5 %');
  expect(JSON.parse(await read(LAST_GOOD))).toEqual(JSON.parse(await registry()));
});

it('warns at a removal when other merchants are gone, too', async () => {
  const { run, registry, read, write } = await startWithout();
  const whole = recordOf(JSON.parse(await registry()));
  const merchants = [...[whole['merchants']].flat(), { merchantCode: '700777' }];
  await write(LAST_GOOD, JSON.stringify({ ...whole, merchants }));
  const removed = await run(['merchant', 'remove', FIRST, '--yes']);
  expect(removed).toMatchObject({ code: 1, stderr: textWith('(700777)') });
  expect(removed.stdout).toContain('registry push --accept-removals --local');
  expect(await read(LAST_GOOD)).toContain('700777');
});

it('reports no success while the last good registry serves, and says how to end that', async () => {
  const { run, registry, write, entry } = await startWithout();
  const whole = recordOf(JSON.parse(await registry()));
  const lost = [{ merchantCode: '700777' }, { merchantCode: '700888' }];
  await write(LAST_GOOD, JSON.stringify({ ...whole, merchants: [...[whole['merchants']].flat(), ...lost] }));
  const mend = 'npx daybook registry push --accept-removals --local';
  for (const words of [
    ['merchant', 'list'],
    ['merchant', 'show', FIRST],
    ['merchant', 'set', FIRST, 'reportAt=07:30'],
    ['merchant', 'set', FIRST, 'reportAt=07:30'],
  ]) {
    const ran = await run(words);
    expect(ran, words.join(' ')).toMatchObject({ code: 1 });
    expect(ran.stdout + ran.stderr).toContain(mend);
    expect(recordOf(documentOf(await run([...words, '--json'])))['warning']).toContain('700777, 700888');
  }
  const added = await run([...ADD, '--preview', 'me@merchants.example', '--yes'], INPUT);
  expect(added).toMatchObject({ code: 1, stdout: textWith(mend) });
  expect(added.stdout).not.toContain('gets its reports');
  expect(entry(NEW)).toEqual(entryOf(2));
  expect(await run(['registry', 'pull'])).toMatchObject({ code: 0 });
  expect(await run(['registry', 'push', '--accept-removals', '--yes'])).toMatchObject({ code: 0 });
  expect(await run(['merchant', 'list'])).toMatchObject({ code: 0, stderr: '' });
});

it('says what is gone when a removal loses against others each time', async () => {
  const { run, aws, registry, read, write } = await startWithout();
  await write(LAST_GOOD, await registry());
  const before = await read(LAST_GOOD);
  let writes = 0;
  const theirs = async () => write(REGISTRY, `${await registry()}${' '.repeat((writes += 1))}`);
  const action = { kind: 'call', before: theirs } as const;
  aws.faults.add({ service: 's3', operation: 'PutObject', times: 5, action });
  const removed = await run(['merchant', 'remove', FIRST, '--with-secret', '--yes']);
  expect(removed).toMatchObject({ code: 1, stderr: textWith('was not changed') });
  expect(removed.stderr).toContain(`The credentials of ${FIRST} are removed already`);
  expect(await registry()).toContain(`"${FIRST}"`);
  expect(await read(LAST_GOOD)).toBe(before);
});

it('removes a merchant when the last good registry cannot be read', async () => {
  const { run, registry, read, write } = await startWithout();
  await write(LAST_GOOD, 'not JSON');
  expect(await run(['merchant', 'remove', FIRST, '--yes'])).toMatchObject({ code: 0 });
  expect(await registry()).not.toContain(`"${FIRST}"`);
  expect(await read(LAST_GOOD)).toBe('not JSON');
});

it('shows the settings as they are used, and where they come from', async () => {
  const { run, aws } = await startWithout();
  const shown = await run(['merchant', 'show', FIRST, '--json']);
  expect(shown.code).toBe(0);
  const settings = recordOf(documentOf(shown))['settings'];
  expect(settings).toContainEqual({ member: 'merchantCode', value: FIRST, origin: 'own' });
  expect(settings).toContainEqual({ member: 'reportAt', value: '06:00', origin: 'Daybook' });
  expect(settings).toContainEqual({
    member: 'invoiceStatuses',
    value: { 0: 'not_paid', 1: 'paid', 3: 'cancelled' },
    origin: 'defaults',
  });
  expect(documentOf(shown)).toMatchObject({ secret: `there, in ${SECRET}`, lastSealedDay: null });
  await run(['merchant', 'add', FIRST, '--preview', `owner-${FIRST}@merchants.example`, '--yes']);
  expect((await run(['merchant', 'show', FIRST])).stdout).toContain(
    'Last sealed day: 2026-11-22 (yesterday).',
  );
  aws.secrets.put(SECRET, '{"merchants":{}}');
  expect((await run(['merchant', 'show', FIRST])).stdout).toContain(`has no merchant ${FIRST}`);
  expect(await run(['merchant', 'show', '709999'])).toMatchObject({ code: 1, stderr: textWith('709999') });
});

it('sets statements, and shows and lists them as the registry writes them', async () => {
  const { run, registry } = await startWithout();
  const before = await registry();
  const weekly = '{"on":"monday","at":"08:00"}';
  const members = [`statements.weekly=${weekly}`, 'statements.waitFor=2d', 'weekStart=monday'];
  const set = await run(['merchant', 'set', FIRST, ...members]);
  expect(set).toMatchObject({ code: 0, stderr: '' });
  expect(set.stdout).toContain(`${FIRST}: statements.weekly changes from nothing to "monday at 08:00".`);
  const shown = await run(['merchant', 'show', FIRST, '--json']);
  expect(recordOf(documentOf(shown))['settings']).toContainEqual({
    member: 'statements',
    value: { weekly: { on: 'monday', at: '08:00' }, waitFor: '2d', correctFor: '45d' },
    origin: 'own',
  });
  expect(documentOf(await run(['merchant', 'list', FIRST, '--json']))).toMatchObject({
    merchants: [{ merchantCode: FIRST, statements: ['weekly'] }],
  });
  expect((await run(['merchant', 'list', FIRST])).stdout).toMatch(/Statements .*\n.* weekly /);
  // A problem that the functions accept is one, too: no statement would come.
  expect(await run(['merchant', 'set', FIRST, 'statements.weekly='])).toMatchObject({
    code: 1,
    stderr: textWith('has neither "weekly" nor "monthly"'),
  });
  expect(await run(['merchant', 'set', FIRST, 'statements=null', 'weekStart='])).toMatchObject({
    code: 0,
    stdout: textWith('statements.weekly changes from "monday at 08:00" to nothing'),
  });
  expect(await run(['merchant', 'set', FIRST, 'statements='])).toMatchObject({ code: 0 });
  expect(await registry()).toBe(before);
});

it('warns at a removal when a group names the merchant, and shows its groups', async () => {
  const { run, registry, write } = await startWithout();
  const whole = recordOf(JSON.parse(await registry()));
  const group = { recipients: ['chief@owners.example'], daily: true };
  const groups = [
    { ...group, name: 'shops', merchants: [FIRST] },
    { ...group, name: 'everybody', merchants: 'all' },
    { ...group, name: 'others', merchants: [NEW] },
    { ...group, name: 'broken', merchants: FIRST },
  ];
  await write(REGISTRY, JSON.stringify({ ...whole, groups }, null, 2));
  const shown = await run(['merchant', 'show', FIRST]);
  expect(shown.stdout).toContain('Groups: shops, everybody.');
  const removed = await run(['merchant', 'remove', FIRST, '--yes']);
  expect(removed.code).toBe(0);
  expect(removed.stderr).toContain('Pages of the groups shops, everybody no longer have its figures.');
  expect(removed.stderr).toContain(`Warning: group shops names ${FIRST}: take it out there, too`);
  expect(removed.stderr).not.toContain('group everybody names');
  const added = await run(['merchant', 'add', NEW, '--recipients', 'a@example.com', '--json'], INPUT);
  expect(documentOf(added)).toMatchObject({ groups: ['everybody', 'others'] });
  expect((await run(['merchant', 'add', NEW])).stdout).toContain(
    'Pages of the groups everybody, others have its figures, too.',
  );
  // It is left to a person what becomes of the group.
  expect(recordOf(JSON.parse(await registry()))['groups']).toEqual(groups);
});

it('lists ten thousand merchants, and finds one among them', async () => {
  const { run, registry, write } = await startWithout();
  const value = recordOf(JSON.parse(await registry()));
  const merchants = Array.from({ length: 10_000 }, (_, index) => ({
    merchantCode: String(800_000 + index),
    name: `Shop ${index}`,
    recipients: [`owner${index}@merchants.example`],
  }));
  await write(
    REGISTRY,
    JSON.stringify({ ...value, merchants: [...merchants, { merchantCode: '9', reportAt: 1 }] }),
  );
  const all = await run(['merchant', 'list']);
  expect(all.stdout.split('\n')).toHaveLength(10_004);
  expect(all.stdout).not.toContain('@');
  expect(all.stdout).toMatch(/^The entry of 9 cannot be used: "npx daybook merchant show 9 .*" says why\.$/m);
  const found = await run(['merchant', 'list', 'OWNER77@', '--json']);
  expect(documentOf(found)).toMatchObject({ merchants: [{ merchantCode: '800077', recipients: 1 }] });
});

// What was written before a request is what was written after the one before it.
it.each([
  ['PutSecretValue', 'is added'],
  ['UpdateSecretVersionStage', 'is added'],
  // The registry is written last. After it, nothing is left to do.
  ['PutObject', 'is in the registry already'],
])('goes on with a merchant whose adding was killed after %s', async (operation, said) => {
  const { run, runProcess, aws, registry, secret } = await startWithout();
  let pid = 0;
  aws.faults.add({ operation, action: { kind: 'call', after: () => killAndWait(pid) } });
  expect(await runProcess(ADD, { input: INPUT, onStart: (id) => (pid = id) })).toMatchObject({ code: null });
  expect(await run(ADD, INPUT)).toMatchObject({ code: 0, stderr: textWith(`${NEW} ${said}`) });
  expect((await registry()).split(`"${NEW}"`)).toHaveLength(2);
  expect(secret().split(`"${NEW}"`)).toHaveLength(2);
});

it('loses no merchant when five are added and changed at the same moment', async () => {
  const { run, registry, secret } = await startWithout({}, 7);
  const indexes = [2, 3, 4, 5, 6];
  const codes = indexes.map((index) => sandboxMerchant(index).merchantCode);
  const added = await Promise.all(
    indexes.map((index, at) =>
      run(
        ['merchant', 'add', codes[at] ?? '', '--recipients', 'a@example.com'],
        JSON.stringify(entryOf(index)),
      ),
    ),
  );
  expect(added.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
  for (const code of codes) {
    expect(await registry()).toContain(`"${code}"`);
    expect(secret()).toContain(`"${code}"`);
  }
  await Promise.all(codes.map((code, at) => run(['merchant', 'set', code, `reportAt=07:1${at}`])));
  for (const at of indexes.keys()) expect(await registry()).toContain(`07:1${at}`);
});

it('removes no merchant whose credentials cannot be removed', async () => {
  const { run, aws, registry } = await startWithout();
  const before = await registry();
  aws.secrets.put(SECRET, 'no JSON');
  const removed = await run(['merchant', 'remove', FIRST, '--with-secret', '--yes']);
  expect(removed).toMatchObject({ code: 1, stderr: textWith('is not JSON') });
  expect(await registry()).toBe(before);
});

it.each([
  ['before', 'UpdateSecretVersionStage'],
  ['after', 'UpdateSecretVersionStage'],
  ['after', 'PutObject'],
] as const)('goes on with a removal that was killed %s %s', async (when, operation) => {
  const { run, runProcess, aws, registry, secret, read, write } = await startWithout();
  await write(LAST_GOOD, await registry());
  const words = ['merchant', 'remove', FIRST, '--with-secret', '--yes'];
  let pid = 0;
  aws.faults.add({ operation, action: { kind: 'call', [when]: () => killAndWait(pid) } });
  expect(await runProcess(words, { onStart: (id) => (pid = id) })).toMatchObject({ code: null });
  expect(await run(words)).toMatchObject({ code: 0 });
  expect(await registry()).not.toContain(`"${FIRST}"`);
  expect(await read(LAST_GOOD)).not.toContain(`"${FIRST}"`);
  expect(secret()).not.toContain(`"${FIRST}"`);
});

it.each([['list'], ['show', FIRST], ['set', FIRST, 'reportAt=07:30'], ['remove', FIRST], ['add', NEW]])(
  'says which registry is used and how to mend it, where the written one cannot be: %s',
  async (...words) => {
    const { run, registry, write } = await startWithout();
    await write(LAST_GOOD, await registry());
    await write(REGISTRY, '{');
    expect(await run(['merchant', ...words, '--json'])).toMatchObject({
      code: 1,
      stderr: textLike(
        /^this registry is not used\. .*is not JSON.* The last good one, .*daybook registry pull .*daybook registry push .*\n$/,
      ),
    });
    expect(await registry()).toBe('{');
  },
);

it('says that an entry still cannot be used after a change, and ends with 1', async () => {
  const { run, registry, write } = await startWithout();
  const usable = await registry();
  await write(REGISTRY, usable.replace(`"${FIRST}"`, `"${FIRST}", "timeZone": "Asia/Dubay"`));
  const changed = await run(['merchant', 'set', FIRST, 'reportAt=07:30']);
  expect(changed).toMatchObject({
    code: 1,
    stdout: textWith(`${FIRST}: still cannot be used: the command check says why.`),
  });
  expect(await run(['merchant', 'set', FIRST, 'timeZone=Asia/Dubai'])).toMatchObject({ code: 0 });
});
