import { describe, expect, it } from 'vitest';
import { useAlertScript } from '#support/alert-check/alert-script.ts';
import { CODE, DAY } from '#support/world/daybook-world.ts';

const script = useAlertScript();
const SUM = { name: 'sum', measure: 'unpaidAmount', above: '1.000' };
const EXPIRING = { name: 'expiring', measure: 'expiringUnpaid', withinDays: 20, above: 0 };
/** The registry, after the day was sealed or mailed in KWD. */
const CHANGED = { currency: 'SAR', invoiceStatuses: { 0: 'paid', 1: 'not_paid', 2: 'cancelled' } };
const UNPAID = { invoice_status: 0, amount: '145.000', expires_at: '2026-12-02' };

/** Seals the day on the next morning, with an unpaid invoice. */
async function sealDay(): Promise<void> {
  script.world.payments.data.insertInvoice(CODE, DAY, UNPAID);
  script.world.clock.setTo('2026-11-21T04:00:00Z');
  await script.world.report({ send: false });
}

async function lastText(): Promise<string> {
  return ((await script.mails()).at(-1)?.text ?? '').replaceAll('\u00A0', ' ');
}

describe('an alert after the registry has changed', () => {
  it('counts expiring invoices by the words of their pages, and names them in the currency of these', async () => {
    script.world.payments.data.insertInvoice(CODE, DAY, { ...UNPAID, invoice_status: 1, amount: '9.000' });
    await sealDay();
    await script.rules([EXPIRING], CHANGED);
    const { transitions } = await script.check(0, { now: '2026-11-21T05:00:00Z' });
    expect(transitions).toMatchObject([{ to: 'firing', value: '1.000' }]);
    expect(await lastText()).toContain('145.000 KWD');
  });

  it('does not hold an amount of a page against a bound in another currency', async () => {
    await sealDay();
    await script.rules([SUM, { ...SUM, name: 'low', above: undefined, below: '1000' }], CHANGED);
    const answer = await script.check(0, { now: '2026-11-21T05:00:00Z', day: DAY });
    expect(answer).toMatchObject({ mailed: false, noData: [{ rule: 'sum' }, { rule: 'low' }] });
  });

  it('names invoices of a sealed day by its words and in its currency', async () => {
    await sealDay();
    await script.rules([{ name: 'count', measure: 'unpaidCount', above: 0 }], CHANGED);
    await script.check(0, { now: '2026-11-21T05:00:00Z', day: DAY });
    expect(await lastText()).toContain('145.000 KWD');
  });

  it('is mailed again as it was', async () => {
    await script.rules([SUM]);
    script.world.payments.data.insertInvoice(CODE, DAY, UNPAID);
    await script.check(0);
    const check = script.world.keys('mail/alerts/')[0]?.split('/').at(-1)?.replace('.json', '');
    await script.rules([SUM], { ...CHANGED, recipients: ['other@merchants.example'] });
    await script.check(15, { resend: check });
    const text = await lastText();
    expect(text).toContain('145.000 KWD');
    expect(text).toContain('1.000 KWD');
    expect(text).not.toContain('SAR');
  });

  it('is over when its amounts were in another currency, and begins again with the new one', async () => {
    await script.rules([{ ...SUM, repeatAfter: '5m' }]);
    script.world.payments.data.insertInvoice(CODE, DAY, UNPAID);
    await script.check(0);
    await script.rules([{ ...SUM, repeatAfter: '5m' }], { currency: 'SAR' });
    expect((await script.check(15)).transitions).toMatchObject([
      { from: 'firing', to: 'removed', value: '145.000' },
      { from: 'ok', to: 'firing', value: '145.000' },
    ]);
    const text = await lastText();
    expect(text).toContain('145.00 SAR');
    expect(text).not.toContain('KWD');
  });
});
