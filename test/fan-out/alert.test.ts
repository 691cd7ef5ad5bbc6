import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startFanOut } from '#support/fan-out/fan-out-world.ts';
import { loseResults } from '#support/fan-out/lose-results.ts';
import type { RunningFanOut } from '#support/fan-out/fan-out-world.ts';
import type { Call } from '#sandbox/step-functions/execution.ts';
import * as z from 'zod';

const TICK = '2026-11-20T10:30:00Z';
const EVENT = { kind: 'alert', scheduledTime: TICK };
const RULES = [{ name: 'any-invoice', measure: 'invoiceCount', above: 3 }];
/** Seven merchants have rules, which is a batch of five and one of two. The eighth has no rules. */
const WATCHED = Array.from({ length: 7 }, (_, index) => `70000${index + 1}`);
const UNWATCHED = '700008';

let fanOut: RunningFanOut;
beforeEach(async () => {
  fanOut = await startFanOut('alert', { merchants: 8, defaults: { alerts: RULES } });
  const { world } = fanOut;
  await world.putRegistry({ [UNWATCHED]: { alerts: [] } });
  for (const code of [...WATCHED, UNWATCHED]) {
    world.payments.data.seedDay(code, '2026-11-20', { invoices: 5, refunds: 0 });
  }
  world.clock.setTo('2026-11-20T10:30:20Z');
});
afterEach(() => fanOut.world.close());

const batchSchema = z.object({ Items: z.array(z.unknown()) });
const isCheck = ({ functionName }: Call) => functionName === 'alertcheck';
const ONE_ALERT_EACH = WATCHED.map((code) => `alert ${code} 2026-11-20`);

describe('a tick of the alert checks', () => {
  it('checks the merchants that have rules, in batches, with the day and the tick of the plan', async () => {
    const execution = await fanOut.start(EVENT);
    expect(execution).toMatchObject({ status: 'SUCCEEDED' });
    const [round] = execution.mapRuns;
    expect(round?.children.map(({ input }) => batchSchema.parse(input).Items.length)).toEqual([5, 2]);
    expect(
      execution.calls
        .filter(isCheck)
        .map(({ event }) => event)
        .sort((a, b) => String(a['merchantCode']).localeCompare(String(b['merchantCode']))),
    ).toEqual(WATCHED.map((merchantCode) => ({ merchantCode, day: '2026-11-20', scheduledTime: TICK })));
    expect(fanOut.mailed()).toEqual(ONE_ALERT_EACH);
  });

  it('moves no rule and mails nothing twice when it is executed twice', async () => {
    await fanOut.start(EVENT);
    expect(await fanOut.start(EVENT)).toMatchObject({ status: 'SUCCEEDED' });
    expect(fanOut.mailed()).toEqual(ONE_ALERT_EACH);
  });

  it('goes on when one merchant of a batch fails, runs that merchant alone again, and reports the exact share', async () => {
    const execution = await fanOut.start(EVENT, ({ event }) => {
      if (event['merchantCode'] !== '700002') return;
      throw Object.assign(new Error('in a test'), { name: 'StateContestedError' });
    });
    const [first, second] = execution.mapRuns;
    expect(first?.children[0]).toMatchObject({
      status: 'FAILED',
      error: 'StateContestedError',
      cause: '1 of 5 failed: ["700002: StateContestedError"]',
    });
    expect(first?.children[1]).toMatchObject({ status: 'SUCCEEDED' });
    expect(second?.children.map(({ status }) => status)).toEqual(['FAILED']);
    expect(execution.error).toBe('MerchantsStillFailing');
    expect(execution.cause).toMatch(
      /^1 of 7 still fail after the second round, 14\.29 %; 5 % are tolerated\./,
    );
    // One more try in each of the two rounds.
    expect(execution.calls.filter(({ event }) => event['merchantCode'] === '700002')).toHaveLength(4);
    expect(fanOut.mailed()).toEqual(ONE_ALERT_EACH.filter((mail) => !mail.includes('700002')));
  });

  it.each([
    ['the batch that failed', (call: Call) => 'failedOf' in call.event, 'name 2 items, but it had 7'],
    ['the merchant that failed again', (call: Call) => 'of' in call.event, 'name no items'],
  ])('fails with RoundResultsError when %s is in no file of results', async (_, isAfter, why) => {
    const execution = await fanOut.start(EVENT, async (call) => {
      if (call.event['merchantCode'] === '700002')
        throw Object.assign(new Error('in a test'), { name: 'StateContestedError' });
      if (isAfter(call)) await loseResults(fanOut.world, call, ['FAILED']);
    });
    expect(execution).toMatchObject({ status: 'FAILED', error: 'RoundResultsError' });
    expect(execution.cause).toContain(why);
  });

  it('ends at once when no merchant has rules', async () => {
    await fanOut.world.putRegistry(
      Object.fromEntries([...WATCHED, UNWATCHED].map((code) => [code, { alerts: [] }])),
    );
    const execution = await fanOut.start(EVENT);
    expect(execution.entered.at(-1)).toBe('Nothing due');
  });
});
