import { addressHash, suppressionKey } from '#records/storage/keys.ts';
import { stopKey } from '#records/storage/readers-stop.ts';
import { membersOf } from '#support/assertions/index.ts';
import { happensTo } from '#support/mail-events/running-mail-events.ts';
import { useStage, REGISTRY } from '#support/command/command-stage.ts';
import { documentOf, refuses, says } from '#support/command/run-command.ts';
import { BUCKET, CODE, DAY } from '#support/world/daybook-world.ts';

const SECOND = '700002';
const OWNER = `owner-${CODE}@merchants.example`;
const KEY = suppressionKey(addressHash(OWNER));
const STRANGER = 'somebody@elsewhere.example';

const stage = useStage('each', { merchants: 2 });

const suppression = (...args: string[]) => stage.run('suppression', ...args);
const stop = (address: string, content: object) =>
  stage.aws.s3.write(BUCKET, suppressionKey(addressHash(address)), JSON.stringify(content));

describe('daybook suppression list', () => {
  it('names the address behind each hash, who stopped it, why and since when, and whose it is', async () => {
    await stop(OWNER, { reason: 'bounced: Permanent', at: '2026-11-20T03:00:00.000Z', messageId: '0102' });
    stage.aws.mailSettings.suppress(OWNER, 'BOUNCE');
    const other = `owner-${SECOND}@merchants.example`;
    stage.aws.mailSettings.suppress(other, 'COMPLAINT');
    stage.aws.mailSettings.suppress(STRANGER, 'BOUNCE');
    await stop('gone@elsewhere.example', { reason: 'asked us to' });
    // Nobody knows the address behind this hash. Its file says no time, so the time of the file stands for it.
    const hash = addressHash('gone@elsewhere.example');
    const run = await says(
      suppression('list'),
      0,
      /owner-700001@merchants\.example +both +2026-11-20 03:00 +bounced: Permanent +700001/,
      /owner-700002@merchants\.example +SES +2026-11-21 04:00 +complained +700002/,
      new RegExp(`${hash} +Daybook +2026-11-21 04:00 +asked us to +-`),
    );
    expect(run.stdout).not.toContain(STRANGER);
    expect(run.stderr).toContain('SES has 1 more stop, of addresses that no merchant');
  });

  it('says so when no address is stopped', async () => {
    const run = await suppression('list');
    expect(run).toMatchObject({ code: 0, stdout: 'No address of a merchant or a group is stopped.\n' });
  });

  it('shows our own list when that of SES cannot be read', async () => {
    await stop(OWNER, { reason: 'asked us to' });
    const action = { kind: 'error', status: 403, code: 'AccessDeniedException' } as const;
    stage.aws.faults.add({ service: 'sesV2', action });
    const run = await says(suppression('list'), 0, /owner-700001@merchants\.example +Daybook/);
    expect(run.stderr).toMatch(/^Warning: the list of SES is left out: .*\n$/);
  });
});

it('daybook suppression knows the addresses of groups, too', async () => {
  const chief = 'Chief@Owners.Example';
  const registry = membersOf(JSON.parse(await stage.world.text(REGISTRY)));
  const group = { merchants: 'all', recipients: [chief], daily: true };
  const groups = [
    { name: 'shops', ...group },
    { name: 'chain', ...group, recipients: [OWNER] },
  ];
  await stage.aws.s3.write(BUCKET, REGISTRY, JSON.stringify({ ...registry, groups }));
  stage.aws.mailSettings.suppress(chief, 'BOUNCE');
  await says(suppression('list'), 0, /Chief@Owners\.Example +SES .* +bounced +group shops/);
  await says(suppression('add', chief.toLowerCase()), 0, 'It is a recipient of group shops.');
  expect(documentOf(await suppression('list', '--json'))).toMatchObject({
    addresses: [{ address: chief, stoppedBy: 'both', merchants: [], groups: ['shops'] }],
  });
  const added = documentOf(await suppression('add', OWNER, '--json'));
  expect(added).toMatchObject({ merchants: [CODE], groups: ['chain'] });
  // SES compares addresses as they are written: the group's writing is tried, too.
  const removed = await suppression('remove', chief.toLowerCase(), '--json');
  expect(documentOf(removed)).toMatchObject({ groups: ['shops'], merchants: [], missed: [] });
  expect(stage.aws.mailSettings.suppressed.size).toBe(0);
});

it('daybook suppression shows what a reader stopped, and lifts it only when it is told to', async () => {
  const stops = (['reports', 'alerts'] as const).map((mails) =>
    stopKey({ hash: addressHash(OWNER), of: { owner: { merchantCode: CODE }, mails } }),
  );
  const at = '2026-11-20T03:00:00.000Z';
  for (const key of stops)
    await stage.aws.s3.write(BUCKET, key, JSON.stringify({ reason: 'its reader', at }));
  const row = /owner-700001@merchants\.example +reader \(alerts\) +2026-11-20 03:00 +its reader +700001\n/;
  await says(suppression('list'), 0, row);
  const { addresses } = membersOf(documentOf(await suppression('list', '--json')));
  expect(addresses).toMatchObject([
    { address: OWNER, stoppedBy: 'reader', mails: 'alerts', merchants: [CODE] },
    { address: OWNER, stoppedBy: 'reader', mails: 'reports', groups: [] },
  ]);
  await stop(OWNER, { reason: 'bounced' });
  const stays = 'Its reader stopped alerts of merchant 700001, reports of merchant 700001. That stays';
  expect((await suppression('remove', OWNER)).stdout).toContain(stays);
  expect(stage.world.keys('mail-stops/')).toEqual(stops.toSorted());
  await says(suppression('remove', OWNER), 1);
  const again = 'reports of merchant 700001 (since 2026-11-20 03:00 UTC)';
  await says(suppression('remove', OWNER, '--reader'), 0, `Its reader gets these mails again: ${again}`);
  expect(stage.world.keys('mail-stops/')).toEqual([]);
});

describe('daybook suppression add', () => {
  it('stops the mail of the functions to that address', async () => {
    const words = ['add', OWNER.toUpperCase(), '--reason', 'asked us to'];
    const run = await says(suppression(...words), 0, 'asked us to', `It is a recipient of ${CODE}.`);
    expect(run.stderr).toBe('');
    stage.world.payments.data.seedDay(CODE, DAY, { invoices: 2, refunds: 0 });
    await stage.world.report();
    expect(await stage.world.ledger(1)).toMatchObject({
      status: 'skipped',
      recipients: [{ reason: 'mail to this address is stopped: asked us to' }],
    });
  });

  it('keeps the stop that is there, and says why and since when', async () => {
    await stop(OWNER, { reason: 'complained', at: '2026-11-01T08:00:00.000Z' });
    const kept = { isNew: false, reason: 'complained', since: '2026-11-01T08:00:00.000Z' };
    expect(documentOf(await suppression('add', OWNER, '--json'))).toMatchObject(kept);
    expect(await stage.world.text(KEY)).toContain('"complained"');
  });

  it.each([
    [['add', 'not an address'], 'is not an address'],
    [['add', OWNER, '--reason', 'x'.repeat(61)], '--reason must have 1 to 60 characters'],
    [['remove', OWNER, '--days', '-1'], 'It must be a whole number from 0 to 31'],
  ])('does not take %j', (args, message) => refuses(suppression(...args), 2, message));
});

describe('daybook suppression remove', () => {
  it('removes both stops, and names the mails that the address missed, so that they can be sent', async () => {
    const { world } = stage;
    world.payments.data.seedDay(CODE, DAY, { invoices: 2, refunds: 0 });
    world.payments.data.seedDay(CODE, '2026-11-19', { invoices: 2, refunds: 0 });
    await world.report({ day: '2026-11-19' });
    await happensTo(world, OWNER, 'bounced-permanent');
    stage.aws.mailSettings.suppress(OWNER, 'BOUNCE');
    expect(await world.report()).toMatchObject({ mail: { status: 'skipped' } });

    const run = await says(
      suppression('remove', OWNER),
      0,
      /Removed from Daybook's list: .*bounce.* \(since 2026-\d\d-\d\d \d\d:\d\d UTC\)/,
      'Removed from the list of SES: bounced',
      'It missed 2 mails in 7 days.',
      `npx daybook report ${CODE} --day ${DAY} --resend --failed --local --directory`,
      `daybook report ${CODE} --day 2026-11-19 --resend --failed`,
    );
    expect(run.stderr).toBe('');
    expect(world.keys('mail-stops/')).toEqual([]);
    expect(stage.aws.mailSettings.suppressed.size).toBe(0);
    // The line that it prints does what it says.
    expect(await world.report({ resend: 'failed' })).toMatchObject({ mail: { status: 'sent' } });
    await suppression('add', OWNER);
    const later = documentOf(await suppression('remove', OWNER, '--json'));
    expect(later).toMatchObject({ missed: [{ merchantCode: CODE, day: '2026-11-19', status: 'bounced' }] });
  });

  it('finds the address at SES as the registry writes it', async () => {
    await stage.world.putRegistry({ [CODE]: { recipients: ['Owner@Merchants.Example'] } });
    stage.aws.mailSettings.suppress('Owner@Merchants.Example', 'COMPLAINT');
    const removed = 'Removed from the list of SES: complained';
    await says(suppression('remove', 'owner@merchants.example'), 0, removed);
  });

  it('ends with 1 when nobody stopped the address, and says that no merchant has it', async () => {
    await says(suppression('remove', STRANGER), 1, 'is not stopped', 'is it misspelt?');
  });

  it('keeps our stop when SES does not answer, because the next mail would bring it back', async () => {
    await stop(OWNER, { reason: 'bounced' });
    const action = { kind: 'error', status: 403, code: 'AccessDeniedException', message: 'no' } as const;
    stage.aws.faults.add({ service: 'sesV2', times: 5, action });
    await refuses(suppression('remove', OWNER), 1, /^AWS does not allow this: .*\n$/);
    expect(stage.world.keys('mail-stops/')).toEqual([KEY]);
  });
});
