import { sandboxMerchant } from '#sandbox/payments/index.ts';
import { membersOf, textWith } from '#support/assertions/index.ts';
import { LAST_GOOD, REGISTRY, entryOf, useDesk } from '#support/command/command-stage.ts';
import { documentOf, refuses, says } from '#support/command/run-command.ts';
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
const INPUT = JSON.stringify(entryOf(2));

let whole: Record<string, unknown>;
/** The registry that Daybook has at the beginning, with other members. */
const textWithMembers = (more: object = {}) =>
  JSON.stringify({ ...whole, note: 'of a person', ...more }, null, 2);

// Daybook knows the first two of the merchants at the service.
const own = { merchants: 7, environment: { CREDENTIALS_PREFIX: 'daybook/own/' } };
const desk = useDesk(own, async () => {
  const present = membersOf(JSON.parse(await registry()));
  whole = { ...present, merchants: [present['merchants']].flat().slice(0, 2) };
  await write(REGISTRY, `${textWithMembers()}\n`);
  desk.aws.secrets.put(SECRET, JSON.stringify({ merchants: { [FIRST]: entryOf(0) } }));
});
const { run, runProcess, runOnTerminal, registry, secret, entry, read, write, writeOwnFile } = desk;
const merchant = (...words: string[]) => run(['merchant', ...words]);
const entries = async () => membersOf(JSON.parse(await registry()))['merchants'];

/** Makes one the last good registry that has these merchants, too. */
function putLastGood(...codes: string[]): Promise<void> {
  const more = codes.map((merchantCode) => ({ merchantCode }));
  return write(LAST_GOOD, textWithMembers({ merchants: [...[whole['merchants']].flat(), ...more] }));
}

/** No credentials are in what a command printed. */
function assertNoValues(printed: string): void {
  const { accessCode, cipher, password } = entryOf(2);
  for (const value of [accessCode, cipher.key, cipher.iv, password]) expect(printed).not.toContain(value);
}

const ADD = ['merchant', 'add', NEW, '--recipients', `owner-${NEW}@merchants.example`];
const PALM = { merchantCode: NEW, name: 'Palm Café', reportAt: '07:30', reportFrom: '2026-11-23' };

it('adds a merchant: proves the credentials, and writes the secret and the registry', async () => {
  const before = await registry();
  const words = [...ADD, '--name', 'Palm Café', '--report-at', '07:30', '--dry-run'];
  const first = `${NEW} gets its reports at 07:30 (Asia/Kuwait), first the report of 2026-11-23.`;
  const { stdout, stderr } = await says(run(words, INPUT), 0, '2026-11-22', first);
  assertNoValues(stdout + stderr);
  expect(stderr).toContain('The service takes the credentials.');
  expect(entry(NEW)).toEqual(entryOf(2));
  expect(secret()).toContain(FIRST);
  const after = await registry();
  expect(after.startsWith(before.slice(0, before.indexOf('"merchants"')))).toBe(true);
  expect(await entries()).toContainEqual({ ...PALM, recipients: [`owner-${NEW}@merchants.example`] });
  expect(desk.payments.requests.filter(({ operation }) => operation === 'login').length).toBeGreaterThan(0);
});

it('asks on a terminal for everything, and shows no credential', async () => {
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
  assertNoValues(added.written);
  expect(added).toMatchObject({ code: 0, written: textWith(`${NEW} gets its reports at 07:30`) });
  expect(entry(NEW)).toEqual(entryOf(2));
  expect(await entries()).toContainEqual({ ...PALM, recipients: ['owner@merchants.example'] });
}, 120_000);

it('changes nothing when Ctrl-C is pressed at a question', async () => {
  const [before, values] = [await registry(), secret()];
  const ended = await runOnTerminal(['merchant', 'add', NEW], [['Name in the mails', '\u0003']]);
  expect(ended).toMatchObject({ code: 130, written: textWith('nothing was changed') });
  expect([await registry(), secret()]).toEqual([before, values]);
}, 120_000);

it('mails a preview when it is asked to', async () => {
  const words = [...ADD, '--preview', `owner-${NEW}@merchants.example`, '--json', '--yes'];
  const added = documentOf(await says(run(words, INPUT), 0));
  expect(added).toMatchObject({ merchantCode: NEW, preview: { mail: { status: 'preview' } } });
  expect(desk.stage.world.mails('preview')).toHaveLength(1);
});

it('says that the merchant is added when the preview cannot go to that address', async () => {
  const failed = 'is added, and the try failed: --preview: is neither an address of this merchant';
  await refuses(run([...ADD, '--preview', 'me@gmail.com', '--yes'], INPUT), 2, `${NEW} ${failed}`);
});

it('writes nothing when the service does not take the credentials', async () => {
  const [before, values] = [await registry(), secret()];
  const added = await run(ADD, JSON.stringify({ ...entryOf(2), password: 'wrong' }));
  assertNoValues(added.stdout + added.stderr);
  expect(added).toMatchObject({ code: 1, stdout: '', stderr: textWith('nothing was written') });
  expect([await registry(), secret()]).toEqual([before, values]);
});

it('says what was written when a step fails, and goes on when it runs again', async () => {
  const action = { kind: 'error', status: 403, code: 'AccessDenied', message: 'no' } as const;
  desk.aws.faults.add({ service: 's3', operation: 'PutObject', times: Infinity, action });
  const written = `Written: the credentials in ${SECRET}. Not written: the entry in the registry.`;
  await refuses(run(ADD, INPUT), 1, written);
  expect(entry(NEW)).toEqual(entryOf(2));
  expect(await registry()).not.toContain(NEW);
  desk.aws.faults.clear();
  expect(await run(ADD)).toMatchObject({ code: 0, stderr: textWith('they are used') });
  const after = await registry();
  expect(after).toContain(NEW);
  // Once more changes nothing.
  const again = await run(['merchant', 'add', NEW]);
  expect(again).toMatchObject({ code: 0, stderr: textWith('Nothing had to be written.') });
  expect(await registry()).toBe(after);
});

it('adds a merchant with a secret of its own, under the prefix only', async () => {
  await refuses(run([...ADD, '--secret-id', 'elsewhere'], INPUT), 1, 'must begin with daybook/own/');
  await says(run([...ADD, '--secret-id', `daybook/own/${NEW}`], INPUT), 0);
  expect(entry(NEW, `daybook/own/${NEW}`)).toEqual(entryOf(2));
  expect(await registry()).toContain(`"secretId": "daybook/own/${NEW}"`);
});

it.each([
  [['merchant', 'add'], "give the merchant's code"],
  [['merchant', 'add', NEW], 'give --recipients'],
  [[...ADD, '--report-at', '7'], 'HH:MM'],
  [['merchant', 'set', FIRST, 'reciepients=a@example.com'], 'did you mean recipients?'],
  [['merchant', 'remove', FIRST], 'give --yes'],
])('refuses %j as wrong usage', async (args, words) => {
  const before = await registry();
  await refuses(run(args, INPUT), 2, words);
  expect(await registry()).toBe(before);
});

it('sets members, and changes nothing else in the file', async () => {
  const before = await registry();
  const sentence = `${FIRST}: reports come at 07:30 (Asia/Kuwait) from tomorrow (2026-11-24).`;
  const set = merchant('set', FIRST, 'reportAt=07:30', 'branding.senderName=Al Noor');
  expect((await says(set, 0, sentence)).stderr).toBe('');
  const lines = new Set(before.split('\n'));
  const written = [
    '      ],',
    '      "reportAt": "07:30",',
    '      "branding": {',
    '        "senderName": "Al Noor"',
  ];
  const isNew = (line: string) => !lines.has(line);
  expect((await registry()).split('\n').filter(isNew)).toEqual(written.filter(isNew));
  await says(merchant('set', FIRST, 'reportAt=', 'branding='), 0);
  expect(await registry()).toBe(before);
  await says(merchant('set', FIRST, 'reportAt='), 0, 'already');
});

it('reads a registry that begins with a byte order mark, as the functions do', async () => {
  const marked = `\uFEFF${await registry()}`;
  const commands = [['list'], ['set', FIRST, 'reportAt=07:30'], ['add', FIRST], ['remove', FIRST, '--yes']];
  for (const words of commands) {
    await write(REGISTRY, marked);
    await says(merchant(...words), 0);
  }
});

it('does not write a value that would be a problem', async () => {
  const before = await registry();
  writeOwnFile('rules.json', '[{"name":"too-many","measure":"unpayedCount","above":5}]');
  await refuses(merchant('set', FIRST, 'alerts=@rules.json'), 1, 'measure');
  expect(await registry()).toBe(before);
});

it('removes a merchant, also from the last good registry, and keeps its credentials unless they are to go', async () => {
  const before = await registry();
  await refuses(merchant('remove', '709999', '--yes'), 1, 'no merchant "709999"');
  await says(merchant('remove', FIRST, '--yes'), 0, `${FIRST} is removed.`);
  expect(await registry()).not.toContain(`"${FIRST}"`);
  expect(entry(FIRST)).toEqual(entryOf(0));
  await write(REGISTRY, before);
  await putLastGood();
  const { stderr } = await says(merchant('remove', FIRST, '--with-secret', '--yes'), 0, 'It takes effect');
  expect([entry(FIRST), stderr.includes('5 %')]).toEqual([undefined, false]);
  expect(JSON.parse(await read(LAST_GOOD))).toEqual(JSON.parse(await registry()));
});

it('warns at a removal when other merchants are gone, too', async () => {
  await putLastGood('700777');
  const accept = 'registry push --accept-removals --local';
  expect((await says(merchant('remove', FIRST, '--yes'), 1, accept)).stderr).toContain('(700777)');
  expect(await read(LAST_GOOD)).toContain('700777');
});

it('reports no success while the last good registry serves, and says how to end that', async () => {
  await putLastGood('700777', '700888');
  const mend = 'npx daybook registry push --accept-removals --local';
  const set = ['set', FIRST, 'reportAt=07:30'];
  for (const words of [['list'], ['show', FIRST], set, set]) {
    const { stdout, stderr } = await says(merchant(...words), 1);
    expect(stdout + stderr, words.join(' ')).toContain(mend);
    const document = membersOf(documentOf(await merchant(...words, '--json')));
    expect(document['warning']).toContain('700777, 700888');
  }
  const added = await says(run([...ADD, '--preview', 'me@merchants.example', '--yes'], INPUT), 1, mend);
  expect(added.stdout).not.toContain('gets its reports');
  expect(entry(NEW)).toEqual(entryOf(2));
  await says(run(['registry', 'pull']), 0);
  await says(run(['registry', 'push', '--accept-removals', '--yes']), 0);
  expect(await merchant('list')).toMatchObject({ code: 0, stderr: '' });
});

it('says what is gone when a removal loses against others each time', async () => {
  await putLastGood();
  const before = await read(LAST_GOOD);
  let writes = 0;
  const theirs = async () => write(REGISTRY, `${await registry()}${' '.repeat((writes += 1))}`);
  const action = { kind: 'call', before: theirs } as const;
  desk.aws.faults.add({ service: 's3', operation: 'PutObject', times: 5, action });
  const gone = `The credentials of ${FIRST} are removed already`;
  await refuses(merchant('remove', FIRST, '--with-secret', '--yes'), 1, 'was not changed', gone);
  expect(await registry()).toContain(`"${FIRST}"`);
  expect(await read(LAST_GOOD)).toBe(before);
});

it('removes a merchant when the last good registry cannot be read', async () => {
  await write(LAST_GOOD, 'not JSON');
  await says(merchant('remove', FIRST, '--yes'), 0);
  expect(await registry()).not.toContain(`"${FIRST}"`);
  expect(await read(LAST_GOOD)).toBe('not JSON');
});

it('shows the settings as they are used, and where they come from', async () => {
  const shown = membersOf(documentOf(await says(merchant('show', FIRST, '--json'), 0)));
  const invoiceStatuses = { 0: 'not_paid', 1: 'paid', 3: 'cancelled' };
  expect(shown['settings']).toEqual(
    expect.arrayContaining([
      { member: 'merchantCode', value: FIRST, origin: 'own' },
      { member: 'reportAt', value: '06:00', origin: 'Daybook' },
      { member: 'invoiceStatuses', value: invoiceStatuses, origin: 'defaults' },
    ]),
  );
  expect(shown).toMatchObject({ secret: `there, in ${SECRET}`, lastSealedDay: null });
  await merchant('add', FIRST, '--preview', `owner-${FIRST}@merchants.example`, '--yes');
  await says(merchant('show', FIRST), 0, 'Last sealed day: 2026-11-22 (yesterday).');
  desk.aws.secrets.put(SECRET, '{"merchants":{}}');
  await says(merchant('show', FIRST), 0, `has no merchant ${FIRST}`);
  await refuses(merchant('show', '709999'), 1, '709999');
});

it('sets statements, and shows and lists them as the registry writes them', async () => {
  const before = await registry();
  const members = [
    'statements.weekly={"on":"monday","at":"08:00"}',
    'statements.waitFor=2d',
    'weekStart=monday',
  ];
  const sentence = `${FIRST}: statements.weekly changes from nothing to "monday at 08:00".`;
  expect((await says(merchant('set', FIRST, ...members), 0, sentence)).stderr).toBe('');
  const value = { weekly: { on: 'monday', at: '08:00' }, waitFor: '2d', correctFor: '45d' };
  const shown = membersOf(documentOf(await merchant('show', FIRST, '--json')));
  expect(shown['settings']).toContainEqual({ member: 'statements', value, origin: 'own' });
  const listed = { merchants: [{ merchantCode: FIRST, statements: ['weekly'] }] };
  expect(documentOf(await merchant('list', FIRST, '--json'))).toMatchObject(listed);
  await says(merchant('list', FIRST), 0, /Statements .*\n.* weekly /);
  // A problem that the functions accept is one, too: no statement would come.
  await refuses(merchant('set', FIRST, 'statements.weekly='), 1, 'has neither "weekly" nor "monthly"');
  const gone = 'statements.weekly changes from "monday at 08:00" to nothing';
  await says(merchant('set', FIRST, 'statements=null', 'weekStart='), 0, gone);
  await says(merchant('set', FIRST, 'statements='), 0);
  expect(await registry()).toBe(before);
});

it('warns at a removal when a group names the merchant, and shows its groups', async () => {
  const group = { recipients: ['chief@owners.example'], daily: true };
  const groups = [
    { ...group, name: 'shops', merchants: [FIRST] },
    { ...group, name: 'everybody', merchants: 'all' },
    { ...group, name: 'others', merchants: [NEW] },
    { ...group, name: 'broken', merchants: FIRST },
  ];
  await write(REGISTRY, textWithMembers({ groups }));
  await says(merchant('show', FIRST), 0, 'Groups: shops, everybody.');
  const { stderr } = await says(merchant('remove', FIRST, '--yes'), 0);
  expect(stderr).toContain('Pages of the groups shops, everybody no longer have its figures.');
  expect(stderr).toContain(`Warning: group shops names ${FIRST}: take it out there, too`);
  expect(stderr).not.toContain('group everybody names');
  const added = await run(['merchant', 'add', NEW, '--recipients', 'a@example.com', '--json'], INPUT);
  expect(documentOf(added)).toMatchObject({ groups: ['everybody', 'others'] });
  await says(merchant('add', NEW), 0, 'Pages of the groups everybody, others have its figures, too.');
  // It is left to a person what becomes of the group.
  expect(membersOf(JSON.parse(await registry()))['groups']).toEqual(groups);
});

it('lists ten thousand merchants, and finds one among them', async () => {
  const merchants = Array.from({ length: 10_000 }, (_, index) => ({
    merchantCode: String(800_000 + index),
    name: `Shop ${index}`,
    recipients: [`owner${index}@merchants.example`],
  }));
  await write(REGISTRY, textWithMembers({ merchants: [...merchants, { merchantCode: '9', reportAt: 1 }] }));
  const unusable = /^The entry of 9 cannot be used: "npx daybook merchant show 9 .*" says why\.$/m;
  const all = await says(merchant('list'), 1, unusable);
  expect(all.stdout.split('\n')).toHaveLength(10_004);
  expect(all.stdout).not.toContain('@');
  const found = { merchants: [{ merchantCode: '800077', recipients: 1 }] };
  expect(documentOf(await merchant('list', 'OWNER77@', '--json'))).toMatchObject(found);
});

// What was written before a request is what was written after the one before it.
it.each([
  ['PutSecretValue', 'is added'],
  ['UpdateSecretVersionStage', 'is added'],
  // The registry is written last. After it, nothing is left to do.
  ['PutObject', 'is in the registry already'],
])('goes on with a merchant whose adding was killed after %s', async (operation, said) => {
  let pid = 0;
  desk.aws.faults.add({ operation, action: { kind: 'call', after: () => killAndWait(pid) } });
  expect(await runProcess(ADD, { input: INPUT, onStart: (id) => (pid = id) })).toMatchObject({ code: null });
  expect(await run(ADD, INPUT)).toMatchObject({ code: 0, stderr: textWith(`${NEW} ${said}`) });
  for (const text of [await registry(), secret()]) expect(text.split(`"${NEW}"`)).toHaveLength(2);
});

it('loses no merchant when five are added and changed at the same moment', async () => {
  const codes = [2, 3, 4, 5, 6].map((index) => sandboxMerchant(index).merchantCode);
  const add = (code: string, at: number) =>
    run(['merchant', 'add', code, '--recipients', 'a@example.com'], JSON.stringify(entryOf(at + 2)));
  const added = await Promise.all(codes.map(add));
  expect(added.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
  for (const code of codes)
    for (const text of [await registry(), secret()]) expect(text).toContain(`"${code}"`);
  await Promise.all(codes.map((code, at) => merchant('set', code, `reportAt=07:1${at}`)));
  for (const at of codes.keys()) expect(await registry()).toContain(`07:1${at}`);
});

it('removes no merchant whose credentials cannot be removed', async () => {
  const before = await registry();
  desk.aws.secrets.put(SECRET, 'no JSON');
  await refuses(merchant('remove', FIRST, '--with-secret', '--yes'), 1, 'is not JSON');
  expect(await registry()).toBe(before);
});

it.each([
  ['before', 'UpdateSecretVersionStage'],
  ['after', 'UpdateSecretVersionStage'],
  ['after', 'PutObject'],
] as const)('goes on with a removal that was killed %s %s', async (when, operation) => {
  await putLastGood();
  const words = ['merchant', 'remove', FIRST, '--with-secret', '--yes'];
  let pid = 0;
  desk.aws.faults.add({ operation, action: { kind: 'call', [when]: () => killAndWait(pid) } });
  expect(await runProcess(words, { onStart: (id) => (pid = id) })).toMatchObject({ code: null });
  await says(run(words), 0);
  for (const text of [await registry(), await read(LAST_GOOD), secret()])
    expect(text).not.toContain(`"${FIRST}"`);
});

it.each([['list'], ['show', FIRST], ['set', FIRST, 'reportAt=07:30'], ['remove', FIRST], ['add', NEW]])(
  'says which registry is used and how to mend it, where the written one cannot be: %s',
  async (...words) => {
    await putLastGood();
    await write(REGISTRY, '{');
    const line =
      /^this registry is not used\. .*is not JSON.* The last good one, .*daybook registry pull .*daybook registry push .*\n$/;
    await refuses(merchant(...words, '--json'), 1, line);
    expect(await registry()).toBe('{');
  },
);

it('says that an entry still cannot be used after a change, and ends with 1', async () => {
  const usable = await registry();
  await write(REGISTRY, usable.replace(`"${FIRST}"`, `"${FIRST}", "timeZone": "Asia/Dubay"`));
  const still = `${FIRST}: still cannot be used: the command check says why.`;
  await says(merchant('set', FIRST, 'reportAt=07:30'), 1, still);
  await says(merchant('set', FIRST, 'timeZone=Asia/Dubai'), 0);
});
