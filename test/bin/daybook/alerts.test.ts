import { membersOf, textWith } from '#support/assertions/index.ts';
import { REGISTRY, useStage } from '#support/command/command-stage.ts';
import { documentOf, refuses, says } from '#support/command/run-command.ts';
import { happensTo } from '#support/mail-events/running-mail-events.ts';
import { BUCKET, CODE, DAY } from '#support/world/daybook-world.ts';

/** Ten in the morning in Kuwait. */
const TEN = '2026-11-21T07:00:00.000Z';
const TODAY = '2026-11-21';
const MANY = { name: 'many-invoices', measure: 'invoiceCount', above: 5, forChecks: 2, repeatAfter: '24h' };
const FEW = { name: 'few-invoices', measure: 'invoiceCount', below: 3, notBefore: '23:00' };
const MUTED = { ...MANY, name: 'muted', forChecks: 1, muteUntil: '2026-11-22T00:00:00Z' };

const stage = useStage('each', { startAt: TEN }, (stage) => {
  stage.world.payments.data.seedDay(CODE, TODAY, { invoices: 8, refunds: 0 });
});

const withRules = (...alerts: object[]) => stage.world.putRegistry({ [CODE]: { alerts } });
const alerts = (...args: string[]) => stage.run('alerts', ...args);

/** A check a quarter of an hour after the one before. */
async function check(): Promise<void> {
  const before = stage.world.clock.now();
  await stage.world.alertCheck();
  stage.setTime(new Date(before + 15 * 60_000).toISOString());
}

describe('daybook alerts test', () => {
  it('shows what each rule reads, its bound, its state and what the next check would do', async () => {
    await withRules(MANY, FEW, MUTED);
    const run = await says(
      alerts('test', CODE),
      1,
      `Alert rules of ${CODE}, figures of ${TODAY}`,
      /many-invoices +warning +invoiceCount +8 +above 5 +pending, 1 of 2 checks +no mail yet: 1 more check out of bounds/,
      /few-invoices .*unknown +below 3 +waits +no mail: it waits until 23:00/,
      /muted .* firing since 2026-11-21 07:00 +no mail: muted until 2026-11-22 00:00/,
    );
    expect(run.stderr).toMatch(/^(alert-check reads.*\n)?$/);
    expect([stage.world.keys('alerts/'), stage.world.mails()]).toEqual([[], []]);
  });

  it('says that too little is known of earlier days to say what is usual', async () => {
    await stage.world.report({ send: false });
    await withRules({ name: 'bad-day', measure: 'shareOfUsualDay', below: 40 });
    const row = /unknown \(0\.000 of unknown, 0 days\) +below 40 % .* too few earlier days are known/;
    expect((await alerts('test', CODE)).stdout).toMatch(row);
  });

  it('says what happens at the check that makes a rule fire, and after its mail', async () => {
    await withRules(MANY);
    await check();
    await says(alerts('test', CODE), 1, /firing since 2026-11-21 07:15 +mail: firing/);
    await check();
    const silent = 'no mail: sent at 2026-11-21 07:15, again at 2026-11-22 07:15';
    await says(alerts('test', CODE), 1, new RegExp(`firing since 2026-11-21 07:15 +${silent}`));
    expect(stage.world.mails('alert')).toHaveLength(1);
    await happensTo(stage.world, `owner-${CODE}@merchants.example`, 'delivered');
    await says(alerts('test', CODE), 1, /^The last mail, of check \S+: delivered \(1 delivered\)\.$/m);
    await says(alerts('history', CODE), 0, '1 delivered');
  });

  it('ends with 0 when every rule is in bounds, or the one that --rule names', async () => {
    await withRules({ ...MANY, above: 100 }, { ...MANY, name: 'firing', forChecks: 1 });
    const run = await says(alerts('test', CODE, '--rule', 'many-invoices', '--json'), 0);
    const rule = { rule: 'many-invoices', value: '8.000', to: 'ok', silence: 'in bounds', says: [] };
    expect(documentOf(run)).toMatchObject({ merchantCode: CODE, rules: [rule] });
  });

  it('says that a value is unknown when the service does not answer', async () => {
    await withRules(MANY);
    stage.world.payments.behaviour.loginRefused = [CODE];
    const row = /unknown +above 5 +no data since 2026-11-21 07:00 +no mail: the value is unknown/;
    await says(alerts('test', CODE), 1, row);
  });

  it('names a rule that is left out, and why', async () => {
    await withRules({ ...MANY, above: 'many' });
    await says(alerts('test', CODE), 1, 'no rule that can be used', 'Left out: alerts[0].above');
  });

  it.each([
    [['test', 'nobody'], 1, 'UnknownMerchantError'],
    [['test', 'a/b'], 2, 'the code of a merchant'],
    [['test', CODE, '--rule', 'other'], 1, 'has no rule "other" that can be used; it has: many-invoices'],
    [['history', CODE, '--last', '0'], 2, 'It must be a whole number from 1 to 1000'],
  ])('ends with one line: %j', async (args, code, message) => {
    await withRules(MANY);
    await refuses(alerts(...args), code, message);
  });
});

describe('daybook alerts history', () => {
  it('lists the alert mails, the newest first, with their rules and what became of them', async () => {
    await withRules({ ...MANY, forChecks: 1 });
    await check();
    await withRules({ ...MANY, above: 100 });
    await check();
    const run = await alerts('history', CODE);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout.split('\n').slice(1, 3)).toEqual([
      '2026-11-21 07:15  many-invoices resolved  accepted  1 accepted  -',
      '2026-11-21 07:00  many-invoices firing    accepted  1 accepted  -',
    ]);
    const newest = { status: 'accepted', alerts: [{ rule: 'many-invoices', says: 'resolved' }] };
    const one = await alerts('history', CODE, '--last', '1', '--json');
    expect(documentOf(one)).toMatchObject({ total: 2, mails: [newest] });
  });

  it('shows mails of earlier versions, and ledgers that cannot be read', async () => {
    await withRules({ ...MANY, forChecks: 1 });
    await check();
    const [key = ''] = stage.world.keys('mail/alerts/');
    const text = await stage.world.text(key);
    await stage.aws.s3.write(BUCKET, key, text.replace(/"alerts":\[[^\]]*\],/, ''));
    await stage.aws.s3.write(BUCKET, `mail/alerts/merchant=${CODE}/20260101T000000Z-0000abcd.json`, '{');
    const rows = [/2026-11-21 07:00 +not recorded +accepted/, /- +not recorded +not readable/];
    await says(alerts('history', CODE), 1, ...rows);
  });

  it('says so when there is none', async () => {
    const run = await alerts('history', CODE);
    expect(run).toMatchObject({ code: 0, stdout: `No alert mail of ${CODE} is recorded.\n` });
    const stderr = `the registry has no merchant "${CODE}x": did you mean ${CODE}?\n`;
    expect(await alerts('history', `${CODE}x`)).toEqual({ code: 1, stdout: '', stderr });
  });
});

describe('daybook alerts resend', () => {
  const hold = () =>
    stage.aws.faults.add({ service: 'ses', key: /owner-/, action: { kind: 'reset', when: 'before' } });

  it('asks, and sends the newest mail again to who does not have it', async () => {
    await withRules({ ...MANY, forChecks: 1 });
    hold();
    await check();
    expect(await alerts('resend', CODE)).not.toMatchObject({ code: 0 });
    expect(stage.world.mails('alert')).toHaveLength(0);
    const stdout = 'Mail: sent to 1 recipient.\n';
    expect(await alerts('resend', CODE, '--yes')).toMatchObject({ code: 0, stdout });
    const nobody = 'nobody is left to send it to (have the mail: 1)';
    expect((await alerts('resend', CODE, '--yes')).stdout).toContain(nobody);
    expect(stage.world.mails('alert')).toHaveLength(1);
  });

  it('says which mail there is none of', async () => {
    await refuses(alerts('resend', CODE, '--yes'), 1, `no alert mail of ${CODE} is recorded`);
    const id = '20260101T000000Z-0000abcd';
    await refuses(alerts('resend', CODE, id, '--yes'), 1, `no alert mail of check "${id}"`);
  });
});

describe('daybook alerts try', () => {
  const NOISY = { name: 'noisy', measure: 'invoiceCount', above: 5, title: 'Many invoices today' };
  const tried = (...more: string[]) => alerts('try', CODE, 'noisy', ...more);

  /** Yesterday had 12 invoices, and no check. Today a check sees 8, and a quarter of an hour later the figure is back. */
  async function noisyMorning(): Promise<void> {
    stage.world.payments.data.seedDay(CODE, DAY, { invoices: 12, refunds: 0 });
    await stage.world.report();
    await withRules(NOISY);
    await check();
    await withRules({ ...NOISY, above: 100 });
    await check();
    await withRules(NOISY);
  }

  it('says when the rule rang and for how long, and when it would have rung with another bound', async () => {
    await noisyMorning();
    const run = await says(
      tried('--above', '10'),
      0,
      /^Day +Furthest +As it is: above 5 for 1 \(UTC\) +Tried: above 10 for 1$/m,
      /^2026-11-21 +8 +07:00, 15 minutes +-$/m,
      /^2026-11-20 +12 +- +rings$/m,
      'Of 2 days with figures it rang on 1. As tried, it rings on 1.',
    );
    expect(run.stderr).toContain('"--apply" sets the rule');
  });

  it.each([
    [['--above', '7'], 2],
    // The figure was back before the second check.
    [['--above', '7', '--for', '3'], 1],
    [['--above', '7', '--days', '1'], 1],
    [['--above', '12'], 0],
  ])('tries %j', async (options, days) => {
    await noisyMorning();
    expect(documentOf(await tried(...options, '--json'))).toMatchObject({ counts: { tried: days } });
  });

  it('tries a rule with "below", too, and says which mail it could not read', async () => {
    await noisyMorning();
    await withRules(FEW);
    const key = `mail/alerts/merchant=${CODE}/20261121T060000Z-0000abcd.json`;
    await stage.aws.s3.write(BUCKET, key, '{');
    const run = await alerts('try', CODE, FEW.name, '--below', '13', '--json');
    expect(documentOf(run)).toMatchObject({
      days: [{ day: DAY, furthest: '12.000', rang: [], rings: true }],
      warnings: [textWith(key)],
    });
  });

  it('tries a rule against the usual over the sealed days, each against those before it', async () => {
    const amounts = { '2026-11-06': '40.000', '2026-11-13': '60.000', [DAY]: '20.500' };
    for (const [day, amount] of Object.entries(amounts)) {
      const transaction = { paid_on: `${day} 10:00:00` };
      stage.world.payments.data.insertInvoice(CODE, day, { invoice_status: 1, amount, transaction });
      await stage.world.report({ day, send: false });
    }
    await withRules({ name: 'noisy', measure: 'shareOfUsualDay', below: 40 });
    expect(documentOf(await tried('--below', '42', '--json'))).toMatchObject({
      counts: { days: 1, asItIs: 0, tried: 1 },
      days: [{ day: DAY, furthest: '41.000', rings: true }],
    });
  });

  it('sets the rule with --apply, and nothing else of it', async () => {
    await withRules(MANY, NOISY);
    await says(tried('--above', '10', '--for', '2', '--apply'), 0, 'It takes effect');
    expect(JSON.parse(await stage.world.text(REGISTRY))).toMatchObject({
      merchants: [{ alerts: [MANY, { ...NOISY, above: 10, forChecks: 2 }] }],
    });
  });

  it.each([
    [['noisy', '--below', '3'], 2, 'noisy rings above its bound: give --above'],
    [['noisy', '--above', 'many'], 2, 'above: must be a whole number'],
    [['noisy', '--for', '0'], 2, 'forChecks: '],
    [['noisy', '--days', '61'], 2, 'It must be a whole number from 1 to 60'],
    [['nosiy', '--above', '9'], 1, 'there is no rule "nosiy" that can be used: the rules are noisy'],
  ])('refuses %j', async (words, code, reason) => {
    await withRules(NOISY);
    await refuses(alerts('try', CODE, ...words), code, reason);
  });

  it('does not set a rule of the defaults: it is every merchant’s', async () => {
    const registry = membersOf(JSON.parse(await stage.world.text(REGISTRY)));
    const defaults = { ...membersOf(registry['defaults']), alerts: [NOISY] };
    await stage.aws.s3.write(BUCKET, REGISTRY, JSON.stringify({ ...registry, defaults }));
    await refuses(tried('--above', '9', '--apply'), 1, 'is a rule of the defaults');
  });
});
