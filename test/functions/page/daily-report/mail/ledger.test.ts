import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addressHash, ledgerKey, suppressionKey } from '#records/storage/keys.ts';
import type { Ledger } from '#records/ledger/ledger.ts';
import { MOST_LEDGER_ENTRIES } from '#records/storage/object-bounds.ts';
import { BUCKET, CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';
import { defined } from '#support/assertions/defined.ts';

const A = 'a@merchants.example';
const B = 'b@merchants.example';
const C = 'c@merchants.example';

let world: DaybookWorld;
beforeEach(async () => {
  world = await DaybookWorld.start();
  await world.putRegistry({ [CODE]: { recipients: [A, B, C] } });
  world.payments.data.seedDay(CODE, DAY, { invoices: 5, refunds: 1 });
});
afterEach(() => world.close());

/** The entries of each recipient, oldest first. */
async function statuses(): Promise<Record<string, string[]>> {
  const { recipients } = await world.ledger(1);
  return Object.fromEntries(
    [A, B, C].map((address) => [
      address,
      recipients.filter((entry) => entry.to === addressHash(address)).map((entry) => entry.status),
    ]),
  );
}

function requestsTo(address: string): number {
  return world.aws.requests.filter((request) => request.service === 'ses' && request.key?.includes(address))
    .length;
}

/** The ledger of a run that died after it recorded that it was going to mail B. */
async function leftByADeadRun(until: string): Promise<void> {
  const ledger = await world.ledger(1);
  const dead: Ledger = {
    ...ledger,
    status: 'intended',
    until,
    writer: 'a run that died',
    recipients: ledger.recipients
      .slice(0, 2)
      .map((entry, index) => (index === 0 ? entry : { ...entry, status: 'intended', messageId: null })),
  };
  await world.aws.s3.write(BUCKET, ledgerKey(DAY, CODE, 1), JSON.stringify(dead));
}

describe('a call whose outcome is unknown', () => {
  it.each([
    ['a reset after SES accepted the mail', { kind: 'reset', when: 'after' }],
    ['a reset before', { kind: 'reset', when: 'before' }],
    ['an internal error', { kind: 'error', status: 500, code: 'InternalFailure' }],
    ['an unavailable service', { kind: 'error', status: 503, code: 'ServiceUnavailable' }],
  ] as const)('is never repeated: %s', async (_name, action) => {
    world.aws.faults.add({ service: 'ses', key: new RegExp(B), action });
    const answer = await world.report();
    expect(answer.mail.status).toBe('held');
    expect(await statuses()).toEqual({ [A]: ['accepted'], [B]: ['held'], [C]: ['accepted'] });
    expect((await world.ledger(1)).status).toBe('held');
    expect((await world.report()).mail.status).toBe('held');
    expect([requestsTo(A), requestsTo(B), requestsTo(C)]).toEqual([1, 1, 1]);
    expect(world.mails('ops')).toHaveLength(1);
    const notice = defined(world.mails('ops')[0]).raw.toString();
    expect(notice).toContain('resend');
    expect(notice).toContain(`Subject: [Daybook] Merchant ${CODE}, ${DAY}: mail of a report is held\r\n`);
  });
});

it('a ledger says "intended" before each call to SES, and its result right after it', async () => {
  await world.report();
  const calls = world.aws.requests.map(({ service, operation, key }) =>
    service === 'ses' || key !== ledgerKey(DAY, CODE, 1) ? service : operation,
  );
  const around = calls.flatMap((call, at) => (call === 'ses' ? [[calls[at - 1], calls[at + 1]]] : []));
  expect(around).toEqual([A, B, C].map(() => ['PutObject', 'PutObject']));
});

describe('a definite refusal', () => {
  it('by a busy service is retried after a while', async () => {
    world.aws.faults.add({
      service: 'ses',
      times: 2,
      action: { kind: 'error', status: 400, code: 'Throttling', message: 'Maximum sending rate exceeded.' },
    });
    expect((await world.report()).mail).toMatchObject({ status: 'sent' });
    expect(await statuses()).toEqual({ [A]: ['accepted'], [B]: ['accepted'], [C]: ['accepted'] });
    expect(requestsTo(A)).toBe(3);
    expect(world.mails('report')).toHaveLength(3);
  });
});

it('a refused address no longer keeps the mail open when it is removed from the registry', async () => {
  world.aws.faults.add({
    service: 'ses',
    key: new RegExp(B),
    times: Infinity,
    action: { kind: 'error', status: 400, code: 'MessageRejected' },
  });
  await expect(world.report()).rejects.toMatchObject({ name: 'MailRefusedError' });
  await world.putRegistry({ [CODE]: { recipients: [A, C] } });
  await world.report();
  expect((await world.report()).mail.status).toBe('already-sent');
  expect(await statuses()).toEqual({ [A]: ['accepted'], [B]: ['skipped'], [C]: ['accepted'] });
  expect([requestsTo(A), requestsTo(B), requestsTo(C)]).toEqual([1, 1, 1]);
});

describe('resend', () => {
  it('also sends to addresses that were skipped or held', async () => {
    await world.report({ send: false });
    expect((await world.report({ resend: true })).mail.status).toBe('sent');
    expect(world.mails('report')).toHaveLength(3);
  });

  it('mails nobody if the ledger has no room for another round; the largest round that fits is recorded', async () => {
    const outside = 'ö'.repeat(200);
    const recipients = Array.from({ length: 100 }, (_, place) => `r${place}@merchants.example`);
    await world.putRegistry({ [CODE]: { recipients } });
    for (const address of recipients.slice(3)) {
      await world.aws.s3.write(
        BUCKET,
        suppressionKey(addressHash(address)),
        JSON.stringify({ reason: outside }),
      );
    }
    await world.report();
    const key = ledgerKey(DAY, CODE, 1);
    const fill = async (entries: number) => {
      const ledger = await world.ledger(1);
      const [entry] = ledger.recipients;
      // The longest detail that an event can have written.
      const worst = {
        ...entry,
        status: 'complained',
        reason: `complaint (${'a'.repeat(40)}: ${'b'.repeat(40)})`,
      };
      const full = Array.from({ length: entries }, () => ({
        ...worst,
        messageId: 'm'.repeat(128),
        round: 1,
      }));
      await world.aws.s3.write(BUCKET, key, JSON.stringify({ ...ledger, round: 99, recipients: full }));
    };
    await fill(MOST_LEDGER_ENTRIES - 200);
    expect((await world.report({ resend: true })).mail.status).toBe('sent');
    expect(world.mails('report')).toHaveLength(6);
    await fill(MOST_LEDGER_ENTRIES - 199);
    const before = await world.text(key);
    await expect(world.report({ resend: true })).rejects.toMatchObject({ name: 'LedgerFullError' });
    expect(world.mails('report')).toHaveLength(6);
    expect(await world.text(key)).toBe(before);
  });
});

it('one resend is enough after a run that died', async () => {
  await world.report();
  await leftByADeadRun('2026-11-20T00:00:00Z');
  expect((await world.report({ resend: true })).mail.status).toBe('sent');
  expect(requestsTo(B)).toBe(2);
});
