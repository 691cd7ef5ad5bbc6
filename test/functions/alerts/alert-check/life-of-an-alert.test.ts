import { describe, expect, it } from 'vitest';
import { alertStateKey } from '#records/storage/keys.ts';
import { useAlertScript, TOO_MANY_UNPAID } from '#support/alert-check/alert-script.ts';
import { BUCKET, CODE } from '#support/world/daybook-world.ts';

const script = useAlertScript();

const FIRING = 'Alert · 6 unpaid invoices today, your limit is 5 · Al Noor Trading';

it('a figure that leaves its bounds is mailed once when its rule fires, is not mailed again while it fires, and is mailed once when the figure is back', async () => {
  await script.rules([{ ...TOO_MANY_UNPAID, clearAt: 3 }]);
  script.unpaid(5);
  expect(await script.check(0)).toMatchObject({ transitions: [], mailed: false, mail: null });
  script.unpaid(6);
  expect(await script.check(15)).toMatchObject({
    transitions: [{ rule: 'too-many-unpaid', from: 'ok', to: 'firing', value: '6.000' }],
    mailed: true,
    mail: { status: 'sent' },
  });
  script.unpaid(4);
  expect(await script.check(30)).toMatchObject({ transitions: [], mailed: false });
  script.unpaid(9);
  expect(await script.check(45)).toMatchObject({ transitions: [], mailed: false });
  script.unpaid(3);
  expect(await script.check(105)).toMatchObject({
    transitions: [{ rule: 'too-many-unpaid', from: 'firing', to: 'ok', value: '3.000' }],
    mailed: true,
  });
  expect(await script.check(120)).toMatchObject({ transitions: [], mailed: false });
  const [fired, resolved, ...others] = await script.mails();
  expect(others).toEqual([]);
  expect(fired?.to).toEqual(['owner-700001@merchants.example']);
  expect(fired?.subject).toBe(FIRING);
  expect(fired?.text).toContain('Since: 20\u00A0November\u00A02026 at\u00A012:15 (Kuwait\u00A0time)');
  expect(resolved?.subject).toBe(
    'Back to normal · 3 unpaid invoices today, your limit is 5 · Al Noor Trading',
  );
  expect(resolved?.text).toContain('At the beginning: 6\nHighest: 9\nAt the end: 3\n');
  expect(resolved?.text).toContain('From: 20\u00A0November\u00A02026 at\u00A012:15 (Kuwait\u00A0time)');
  expect(resolved?.text).toContain('Until: 20\u00A0November\u00A02026 at\u00A013:45 (Kuwait\u00A0time)');
  expect(resolved?.text).toContain('Lasted: 1 hour and 30 minutes');
});

it('when the day changes a check of an earlier day changes no rule state; its dry run shows what would change', async () => {
  script.unpaid(6);
  await script.check(12 * 60 + 5);
  const back = await script.check(12 * 60 + 20, { day: '2026-11-20' });
  expect(back).toMatchObject({ transitions: [], mailed: false });
  expect(back.ignored).toContain('dryRun');
  expect(await script.check(12 * 60 + 20, { day: '2026-11-20', dryRun: true })).toMatchObject({
    transitions: [{ from: 'ok', to: 'firing', value: '6.000' }],
    ignored: null,
  });
  expect((await script.state()).day).toBe('2026-11-21');
});

describe('a rule with a lower bound', () => {
  const tooFew = { name: 'too-few', measure: 'invoiceCount', below: 3 };

  it('waits for the sealed day when it has no notBefore; a day that was sealed before it was over does not count', async () => {
    await script.rules([tooFew]);
    const { world } = script;
    world.clock.setTo('2026-11-20T09:00:00Z');
    await world.report({ day: 'today', send: false });
    expect((await script.check(30)).transitions).toEqual([]);
    world.clock.setTo('2026-11-21T04:00:00Z');
    script.unpaid(1);
    await world.report({ send: false });
    const answer = await script.check(20 * 60, { day: '2026-11-20' });
    expect(answer).toMatchObject({ transitions: [{ to: 'firing', value: '1.000' }], mailed: true });
  });
});

it('a state with members of another version is read as far as its members are known', async () => {
  script.unpaid(6);
  await script.check(0);
  const other = { ...(await script.state()), later: { version: 9 } };
  await script.world.aws.s3.write(BUCKET, alertStateKey(CODE), JSON.stringify(other));
  script.unpaid(1);
  expect((await script.check(15)).transitions).toMatchObject([{ from: 'firing', to: 'ok' }]);
});
