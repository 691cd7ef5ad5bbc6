import { afterEach, assert, describe, expect, it } from 'vitest';
import { addressHash, alertLedgerKey } from '#domain/storage/keys.ts';
import { CODE } from '#support/world/daybook-world.ts';
import { AlertScript, TOO_MANY_UNPAID, minutesAfterNoon } from '#support/alert-check/alert-script.ts';
import { daybookHeadersIn } from '#support/readers/daybook-headers-in.ts';
import { defined } from '#support/assertions/defined.ts';
import { matcher } from '#support/assertions/matcher.ts';

let script: AlertScript;
afterEach(() => script.close());

describe('the mail of a check', () => {
  it('is kept in the alert state until it is sent, and its ledger and its tags name the check', async () => {
    script = await AlertScript.start();
    script.unpaid(6);
    await script.check(0, { scheduledTime: minutesAfterNoon(0) });
    const { owed } = await script.state();
    assert.exists(owed);
    expect(owed).toMatchObject({
      check: matcher(expect.stringMatching(/^20261120T090000Z-[0-9a-f]{8}$/)),
      day: '2026-11-20',
      lines: [{ rule: 'too-many-unpaid', says: 'firing', value: '6.000' }],
    });
    const { check } = owed;
    expect(script.world.keys('mail/alerts/')).toEqual([alertLedgerKey(CODE, check)]);
    const recipient = addressHash('owner-700001@merchants.example');
    expect(await script.ledgers()).toMatchObject([
      {
        kind: 'alert',
        status: 'accepted',
        figures: null,
        recipients: [{ to: recipient, status: 'accepted' }],
      },
    ]);
    const tags = { kind: 'alert', merchant: CODE, day: '2026-11-20', check, recipient };
    const mail = defined(script.world.mails('alert')[0]);
    expect(mail.tags).toEqual(tags);
    expect(await daybookHeadersIn(mail.raw)).toEqual({
      'x-daybook-kind': 'alert',
      'x-daybook-reference': `${CODE} 2026-11-20 ${check}`,
      'x-daybook-check': check,
      'x-daybook-rules': 'too-many-unpaid',
    });
  });

  it('is written in the merchant’s language', async () => {
    script = await AlertScript.start();
    await script.rules([TOO_MANY_UNPAID], { language: 'ar', name: 'مقهى الكويت' });
    script.unpaid(6);
    await script.check(0);
    const [mail] = await script.mails();
    expect(mail?.subject).toBe('تنبيه قائم: مقهى الكويت · too-many-unpaid');
    expect(mail?.html).toContain('<html lang="ar" dir="rtl"');
    expect(mail?.text).toContain('الفواتير غير المدفوعة');
  });

  it('shows a hostile name only as text', async () => {
    script = await AlertScript.start();
    const name = 'Café\r\nBcc: everyone@example.com\r\n\r\n<script>alert(1)</script>\u202E';
    await script.rules([TOO_MANY_UNPAID], { name });
    script.unpaid(6);
    await script.check(0);
    const mail = defined((await script.mails())[0]);
    expect(mail.to).toEqual(['owner-700001@merchants.example']);
    expect(mail.subject).toMatch(/^firing: Café Bcc: .* · too-many-unpaid$/);
    expect(mail.html).not.toContain('<script>');
    const headers = defined(defined(script.world.mails('alert')[0]).raw.toString().split('\r\n\r\n')[0]);
    expect(headers).not.toMatch(/^Bcc:/im);
  });
});

describe('rules that cannot be used', () => {
  it('are left out and named by their paths, and the other rules run', async () => {
    script = await AlertScript.start([
      { name: 'two bounds', measure: 'unpaidCount', above: 5 },
      { name: 'both', measure: 'unpaidCount', above: 5, below: 1 },
      { name: '<script>', measure: 'unpaidCount', above: 5 },
      { name: 'sum', measure: 'unpaidAmount', above: 'lots' },
      'not a rule',
      { name: 'unknown', measure: 'unpaidcount', above: 5 },
      TOO_MANY_UNPAID,
      { ...TOO_MANY_UNPAID, above: 1 },
    ]);
    script.unpaid(6);
    const answer = await script.check(0);
    expect(answer.transitions).toMatchObject([{ rule: 'too-many-unpaid', to: 'firing' }]);
    const indexes = answer.rejected.map(({ path }) => /^alerts\[(\d)\]/.exec(path)?.[1]);
    expect(indexes).toEqual(['0', '1', '2', '3', '4', '5', '7']);
    expect(answer.rejected.find(({ path }) => path.startsWith('alerts[3]'))?.path).toBe('alerts[3].above');
    expect(JSON.stringify(answer.rejected)).not.toContain('script');
    expect((await script.mails()).map(({ subject }) => subject)).toEqual([
      expect.stringContaining('too-many-unpaid'),
    ]);
  });
});

describe('an event', () => {
  it.each([
    ['with an unknown member', { dryrun: true }, 'InvalidEventError'],
    ['with a malformed time', { now: 'noon' }, 'InvalidEventError'],
    ['of a day that has not begun yet', { day: '2026-11-21' }, 'InvalidDayError'],
    ['of an unknown merchant', { merchantCode: '799999' }, 'UnknownMerchantError'],
  ])('%s is refused with a named error', async (_what, event, name) => {
    script = await AlertScript.start();
    await expect(script.check(0, event)).rejects.toMatchObject({ name });
    expect(script.world.keys('alerts/')).toEqual([]);
  });
});
