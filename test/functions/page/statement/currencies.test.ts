import { defined } from '#support/assertions/index.ts';
import { attachmentBytes } from '#support/readers/mail-source.ts';
import { readPdf } from '#support/readers/read-pdf.ts';
import { groupPageAt, sealPage, statementAt } from '#support/statement/statement-world.ts';
import { CODE, useWorld } from '#support/world/daybook-world.ts';

const world = useWorld();
const GROUPS = [{ name: 'all', merchants: 'all', recipients: ['boss@group.example'], daily: true }];
const MONTH = { merchantCode: CODE, period: '2026-11' };
const dayOf = (date: number) => `2026-11-${date.toString().padStart(2, '0')}`;
const DATES = Array.from({ length: 30 }, (_, index) => index + 1);

beforeEach(async () => {
  await world.putRegistry({ [CODE]: { currency: 'SAR' } }, {}, { groups: GROUPS });
  world.clock.setTo('2026-12-01T06:00:00.000Z');
});

describe('a month with days in two currencies', () => {
  it('has no total but the sums of each, says so in its mail, and counts so in a group', async () => {
    // In KWD up to the 14th, then in SAR.
    for (const date of DATES)
      await sealPage(world, { day: dayOf(date), currency: date < 15 ? 'KWD' : 'SAR' });
    expect(await world.statement(MONTH)).toMatchObject({
      final: true,
      currency: null,
      counts: { total: 300, paid: 180 },
      amounts: null,
      refunds: { count: 60, total: null, saleBasis: { total: null } },
      byCurrency: {
        KWD: { counts: { total: 140 }, amounts: { paid: '840.000' }, refunds: { total: '105.000' } },
        SAR: { counts: { total: 160 }, amounts: { paid: '960.000' }, refunds: { total: '120.000' } },
      },
    });
    const { net, days, before } = await statementAt(world, '2026-11', 1);
    const unknown = { received: null, net: null, pending: { total: null }, unknown: ['currencies'] };
    expect(net).toMatchObject(unknown);
    expect([days[13]?.currency, days[14]?.currency, before]).toEqual(['KWD', 'SAR', null]);
    const { text, subject, attachments } = await world.lastMail('statement');
    for (const part of [
      'Its days are in different currencies (KWD, SAR).',
      '840.000 KWD',
      '960.00 SAR',
      '  1–7 Nov (42): 420.000 / 35.000 · 385.000',
      '  15–21 Nov (42): 420.00 / 35.00 · 385.00',
    ])
      expect(text).toContain(part);
    expect(text.match(/ {2}Open at the end: .*/g)).toHaveLength(2);
    for (const wrong of ['1,800', '225.000', '1,650']) expect(text).not.toContain(wrong);
    expect(subject).toContain('840.000 KWD, 960.00 SAR came in');
    const pdf = await readPdf(attachmentBytes(defined(attachments[0])));
    expect(JSON.stringify(pdf)).toContain('different currencies');
    await world.statement({ group: 'all', period: '2026-11' });
    expect(await groupPageAt(world, '2026-11', 1, 'all')).toMatchObject({
      byCurrency: {
        KWD: { merchants: 1, amounts: { paid: '840.000' } },
        SAR: { merchants: 1, amounts: { paid: '960.000' } },
      },
      merchants: [{ currency: null, received: null, refunds: { total: null } }],
    });
    const said = 'A merchant whose days are in different currencies';
    expect((await world.lastMail('group')).text).toContain(said);
  });

  it('names the days whose pages do not say their currency', async () => {
    for (const date of DATES)
      await sealPage(world, { day: dayOf(date), ...(date < 15 ? { currency: 'KWD' } : {}) });
    await world.statement(MONTH);
    expect((await world.lastMail('statement')).text).toContain(
      'The figures of 15–30 Nov do not say their currency. We take them to be in SAR.',
    );
  });
});

it('a change of the registry replaces a statement whose amounts were in one currency by one of two, without a comparison', async () => {
  for (const date of DATES) if (date < 15) await sealPage(world, { day: dayOf(date), currency: 'KWD' });
  await world.statement(MONTH);
  for (const date of DATES) if (date >= 15) await sealPage(world, { day: dayOf(date), currency: 'SAR' });
  const sent = { revision: 2, currency: null, mail: { status: 'sent' } };
  expect(await world.statement(MONTH)).toMatchObject(sent);
  const { text } = await world.lastMail('correction');
  expect(text).toContain('This statement replaces the one sent before.');
  expect(text).not.toContain('→');
});
