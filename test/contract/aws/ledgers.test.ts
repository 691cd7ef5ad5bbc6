import { describe, expect, test } from 'vitest';
import { AlertStateStore } from '#alerts/alert-state-store.ts';
import { LedgerStore } from '#mail/ledger-store.ts';
import { MailStops } from '#mail/suppression-list.ts';
import { systemClock } from '#runtime/clock.ts';
import { settleLedger } from '#mail/mail-events/create-mail-events.ts';
import { addressHash, ledgerKey } from '#records/storage/keys.ts';
import type { Ledger } from '#records/ledger/ledger.ts';
import type { AlertState } from '#records/ledger/alert-state.ts';
import { aLedger, anEntry } from '#support/domain/ledgers.ts';
import { awsUnderTest } from '#support/aws-contract/aws-under-test.ts';
import { TARGET } from '#support/aws-contract/known-differences.ts';
import { defined } from '#support/assertions/defined.ts';

const aws = await awsUnderTest();
const { bucket } = aws;
const s3 = aws.clients.s3;

const AT = '2026-11-21T03:00:10.000Z';
const NOW = Date.parse(AT);

/** A ledger with this number of recipients, whose mails SES has accepted. */
function acceptedLedger(recipients: number): Ledger {
  const toOf = (n: number) => addressHash(`owner-${n}@merchants.example`);
  return aLedger(
    Array.from({ length: recipients }, (_, n) => anEntry(toOf(n), 'accepted', { messageId: `m-${n}` })),
  );
}

describe(`ledgers, on ${TARGET}`, () => {
  const ledgers = new LedgerStore(s3, bucket);

  test('are created once, read as they were written, and updated only with the known version', async () => {
    const key = ledgerKey('2026-11-20', '700001', 1);
    expect(await ledgers.read(key)).toBeUndefined();
    const created = await ledgers.create(key, acceptedLedger(1), NOW);
    expect(await ledgers.read(key)).toEqual(created);
    expect(await ledgers.create(key, acceptedLedger(2), NOW)).toBeUndefined();
    const updated = await ledgers.update(key, acceptedLedger(3), defined(created).version, NOW);
    expect(await ledgers.read(key)).toEqual(updated);
    expect(await ledgers.update(key, acceptedLedger(4), defined(created).version, NOW)).toBeUndefined();
  });

  test('keep the events of eight recipients that arrive at once', async () => {
    const key = ledgerKey('2026-11-20', '700001', 2);
    const standing = await ledgers.create(key, acceptedLedger(8), NOW);
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        settleLedger(
          { ledgers, clock: systemClock },
          key,
          {
            is: 'delivered',
            messageId: `m-${n}`,
            recipient: addressHash(`owner-${n}@merchants.example`),
            at: '2026-11-21T03:01:00.000Z',
            detail: null,
          },
          standing,
        ),
      ),
    );
    expect(outcomes).toEqual(Array.from({ length: 8 }, () => 'changed'));
    expect((await ledgers.read(key))?.ledger.recipients.map(({ status }) => status)).toEqual(
      Array.from({ length: 8 }, () => 'delivered'),
    );
  });
});

describe(`alert states, on ${TARGET}`, () => {
  test('are written by only one of two checks that read the same state', async () => {
    const states = new AlertStateStore(s3, bucket);
    const state: AlertState = { day: '2026-11-20', tick: AT, rules: {}, owed: null };
    expect(await states.read('700001')).toBeUndefined();
    expect(await states.write('700001', state, undefined)).toBe(true);
    expect(await states.write('700001', state, undefined)).toBe(false);
    const known = await states.read('700001');
    expect(known?.state).toEqual(state);
    expect(await states.write('700001', state, defined(known).version)).toBe(true);
    expect(await states.write('700001', state, defined(known).version)).toBe(false);
  });
});

describe(`other stored objects, on ${TARGET}`, () => {
  test('keep the first reason of a mail stop, and a repeated event recognises its own stop', async () => {
    const stops = new MailStops(s3, bucket);
    const hash = addressHash('gone@merchants.example');
    expect(await stops.reason(hash)).toBeUndefined();
    expect(await stops.suppress(hash, { reason: 'hard bounce', at: AT, messageId: 'm-1' })).toBe(true);
    expect(await stops.suppress(hash, { reason: 'complaint', at: AT, messageId: 'm-2' })).toBe(false);
    expect(await stops.suppress(hash, { reason: 'hard bounce', at: AT, messageId: 'm-1' })).toBe(true);
    expect(await stops.reason(hash)).toBe('mail to this address is stopped: hard bounce');
  });
});
