import { sandboxMerchant } from '#sandbox/payments/index.ts';
import { membersOf, textWith } from '#support/assertions/index.ts';
import { entryOf, useDesk } from '#support/command/command-stage.ts';
import { documentOf, refuses, says } from '#support/command/run-command.ts';
import { SECRET } from '#support/world/daybook-world.ts';

const FIRST = sandboxMerchant(0).merchantCode;
const SECOND = sandboxMerchant(1).merchantCode;
const FRESH = { algorithm: 'aes-256-cbc', key: 'F'.repeat(32), iv: 'G'.repeat(16) } as const;

const desk = useDesk({ merchants: 12 });
const { run, secret, entry } = desk;

/** Every value of an entry, which no output may have. */
function valuesOf(entry: unknown): string[] {
  const found: string[] = [];
  JSON.stringify(entry, (_, value: unknown) => {
    if (typeof value === 'string') found.push(value);
    return value;
  });
  return found;
}

it('puts proven credentials into the secret, and shows none of them', async () => {
  desk.aws.secrets.put(SECRET, '{\n  "merchants": {},\n  "note": "of a person"\n}\n');
  // No value is in this line.
  const stdout = `${SECRET} has the credentials of ${FIRST}. The service takes them.\n`;
  const put = await run(['secret', 'put', FIRST], JSON.stringify(entryOf(0)));
  expect(put).toEqual({ code: 0, stdout, stderr: '' });
  expect(entry(FIRST)).toEqual(entryOf(0));
  expect(secret()).toContain('"note": "of a person"');
});

it('writes nothing when the service does not take them', async () => {
  const before = secret();
  const wrong = { ...entryOf(1), cipher: { key: FRESH.key, iv: FRESH.iv } };
  const put = await run(['secret', 'put', SECOND, '--yes'], JSON.stringify(wrong));
  expect(put).toMatchObject({ code: 1, stdout: '', stderr: textWith('nothing was written') });
  for (const value of valuesOf(wrong)) expect(put.stderr).not.toContain(value);
  expect(secret()).toBe(before);
  await says(run(['secret', 'put', SECOND, '--yes', '--unproven'], JSON.stringify(wrong)), 0);
  expect(secret()).not.toBe(before);
});

it('asks before it replaces credentials', async () => {
  const before = secret();
  await refuses(run(['secret', 'put', FIRST], JSON.stringify(entryOf(0))), 2, 'daybook secret rotate');
  expect(secret()).toBe(before);
});

it.each([
  ['', 2, 'give the values as JSON on stdin'],
  ['{"accessCode":"S3cr3t"', 2, 'the text on stdin is not JSON'],
  ['{"acessCode":"S3cr3t"}', 2, 'with these members'],
  [JSON.stringify({ accessCode: 'S3cr3t'.repeat(11_000) }), 2, 'stdin has more than 65,536 characters'],
  ['{"accessCode":"S3cr3t","accessCode":"S3cr3t"}', 2, 'a name twice'],
  ['{"accessCode":"S3cr3t","cipher":{"key":"S3cr3t","iv":"S3cr3t"}}', 1, 'cipher.key'],
  ['{"accessCode":"S3cr3t"}', 1, 'cipher'],
])('does not take %s, and repeats no value', async (input, code, says) => {
  desk.aws.secrets.put(SECRET, '{"merchants":{}}');
  const put = await run(['secret', 'put', FIRST], input);
  expect(put).toMatchObject({ code, stdout: '', stderr: textWith(says) });
  expect(put.stderr).not.toContain('S3cr3t');
  expect(put.stderr.trim().split('\n')).toHaveLength(1);
});

it('loses no change when two others write at the same moment, one before and one after it', async () => {
  desk.aws.secrets.put(SECRET, '{"merchants":{}}');
  const addTheirs = (code: string) => {
    const merchants = membersOf(membersOf(JSON.parse(secret()))['merchants']);
    desk.aws.secrets.put(
      SECRET,
      JSON.stringify({ merchants: { ...merchants, [code]: { accessCode: 'x' } } }),
    );
  };
  const both = { before: () => addTheirs('700050'), after: () => addTheirs('700051') };
  desk.aws.faults.add({ operation: 'PutSecretValue', action: { kind: 'call', ...both } });
  await says(run(['secret', 'put', FIRST], JSON.stringify(entryOf(0))), 0);
  for (const code of ['700050', '700051']) expect(entry(code)).toEqual({ accessCode: 'x' });
  expect(entry(FIRST)).toEqual(entryOf(0));
});

it('does not replace credentials that somebody else puts at the same moment', async () => {
  desk.aws.secrets.put(SECRET, '{"merchants":{}}');
  const theirs = JSON.stringify({ merchants: { [FIRST]: { accessCode: 'theirs' } } });
  const action = { kind: 'call', before: () => void desk.aws.secrets.put(SECRET, theirs) } as const;
  desk.aws.faults.add({ operation: 'PutSecretValue', action });
  await refuses(run(['secret', 'put', FIRST], JSON.stringify(entryOf(0))), 1, 'somebody else');
  expect(entry(FIRST)).toEqual({ accessCode: 'theirs' });
});

it.each(['PutSecretValue', 'UpdateSecretVersionStage'])(
  'writes once when the answer of %s is lost',
  async (operation) => {
    desk.aws.secrets.put(SECRET, '{"merchants":{}}');
    desk.aws.faults.add({ service: 'secretsManager', operation, action: { kind: 'reset', when: 'after' } });
    expect(await run(['secret', 'put', FIRST], JSON.stringify(entryOf(0)))).toMatchObject({ code: 0 });
    expect(entry(FIRST)).toEqual(entryOf(0));
    expect(desk.aws.secrets.find(SECRET)?.versions).toHaveLength(3);
  },
);

it('rotates a cipher before the service does, and after it', async () => {
  const { key, iv } = FRESH;
  const rotate = (code: string) => run(['secret', 'rotate', code], JSON.stringify({ cipher: { key, iv } }));
  const check = () => run(['secret', 'check', FIRST, '--json']);
  // The login with the new values was refused: somebody has to change them at the service.
  await says(rotate(FIRST), 1, 'still takes the old values');
  expect(entry(FIRST)).toMatchObject({ cipher: { key }, previous: { cipher: sandboxMerchant(0).cipher } });
  expect(documentOf(await says(check(), 1))).toMatchObject({
    counts: { failed: 1 },
    merchants: [{ current: 'InvalidRequestError', previous: 'serves' }],
  });
  desk.payments.rotate(FIRST, FRESH);
  const merchants = [{ current: 'serves', previous: 'InvalidRequestError' }];
  expect(documentOf(await says(check(), 0))).toMatchObject({ merchants });

  desk.payments.rotate(SECOND, FRESH);
  await says(rotate(SECOND), 0, 'The service takes the new values.');
  await refuses(rotate(SECOND), 1, 'has these values');
});

it('does not rotate when the service takes neither the new values nor the old ones', async () => {
  const before = secret();
  desk.payments.rotate(FIRST, FRESH);
  const wrong = JSON.stringify({ cipher: { key: 'W'.repeat(32), iv: FRESH.iv } });
  const { code, stderr } = await run(['secret', 'rotate', FIRST], wrong);
  expect([code, stderr]).toEqual([1, textWith('the service does not take these values')]);
  expect(stderr).not.toContain('WWWW');
  expect(secret()).toBe(before);
});

it('does not rotate an entry that is not there', async () => {
  const input = JSON.stringify({ password: 'new' });
  await refuses(run(['secret', 'rotate', '709999'], input), 1, 'daybook secret put 709999');
  await refuses(run(['secret', 'rotate', 'no code!'], input), 2);
});

it('checks the credentials of all merchants, and exits with 1 when some do not serve', async () => {
  const check = (...words: string[]) => run(['secret', 'check', ...words]);
  const all = 'The service takes the current values of 12 of 12 merchants.\n';
  expect(await check()).toMatchObject({ code: 0, stdout: all });
  desk.payments.rotate(SECOND, FRESH);
  const eleven = Array.from(
    { length: 11 },
    (_, at) => [sandboxMerchant(at).merchantCode, entryOf(at)] as const,
  );
  desk.aws.secrets.put(SECRET, JSON.stringify({ merchants: Object.fromEntries(eleven) }));
  await refuses(check('709999'), 1, '"npx daybook merchant list --local');
  const counts = { merchants: 12, failed: 2 };
  expect(documentOf(await says(check('--json'), 1))).toMatchObject({ counts });
  const shown = await says(check(), 1, '10 of 12 merchants', 'SecretError');
  for (const value of valuesOf(entryOf(1))) expect(shown.stdout + shown.stderr).not.toContain(value);
});
