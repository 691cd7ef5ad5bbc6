import { composeGroup, memberOfStatement } from '#page/figures/compose-group.ts';
import type { AddedMember } from '#page/figures/compose-group.ts';
import type { GroupPage } from '#page/figures/group-page.ts';
import type { RenderedMail } from '#mail/template/mail-page.ts';
import { renderGroup } from '#page/rendering/group/render-group.ts';
import type { MailedGroup } from '#page/rendering/group/group-formatter.ts';
import type { Language } from '#mail/texts/texts.ts';
import { sampleStatement } from './sample-statement.ts';
import type { SampleGaps } from './sample-statement.ts';

const NAMES = [
  'Al Noor Trading',
  'Harbour Coffee Roasters',
  'شركة الأفق للتجارة',
  'Palm Court Clinic',
  'Dana Events & Catering Co.',
  'مطعم البحر',
  'Gulf Trading & Contracting Company for General Merchandise',
  'Yousef K.',
];
const MONTH = '2026-11';

/** Each merchant has other gaps than the one before, so that its figures differ. */
const GAPS: SampleGaps[] = [
  {},
  { again: ['2026-11-10', '2026-11-11', '2026-11-12', '2026-11-17'] },
  { missing: ['2026-11-30'] },
  { again: ['2026-11-04'] },
  { unbalanced: ['2026-11-20'] },
  { again: ['2026-11-01', '2026-11-02'] },
  { missing: ['2026-11-29', '2026-11-30'] },
  {},
];

function members(currencies: readonly string[]): AddedMember[] {
  return NAMES.map((name, index) => {
    const statement = sampleStatement(MONTH, GAPS[index]);
    const merchantCode = String(700_001 + index);
    const currency = currencies[index % currencies.length] ?? 'KWD';
    const before = index === 7 ? null : statement.before;
    return memberOfStatement({ ...statement, merchantCode, currency, before }, { name });
  });
}

/** An invented page of a group's month. */
export function samplePageOfGroup(currencies: readonly string[]): GroupPage {
  const content = composeGroup(
    { group: 'north-stores', period: MONTH, from: '2026-11-01', to: '2026-11-30' },
    members(currencies),
    [
      { merchantCode: '700009', name: 'Marina Books', reason: 'not-sealed' },
      { merchantCode: '700010', name: null, reason: 'not-in-registry' },
    ],
    [
      {
        merchantCode: '700002',
        name: 'Harbour Coffee Roasters',
        currency: currencies[1] ?? 'KWD',
        period: '2026-10',
        fromRevision: 1,
        toRevision: 2,
        before: { received: '263272.125', refunds: '2941.750' },
        after: { received: '263594.625', refunds: '2941.750' },
      },
    ],
  );
  return {
    ...content,
    revision: 1,
    sealedAt: '2026-12-01T06:00:04.000Z',
    scheduledTime: '2026-12-01T06:00:00.000Z',
    previous: null,
  };
}

function groupIn(language: Language): MailedGroup {
  return { name: 'north-stores', language, timeZone: 'Asia/Kuwait' };
}

/** The page of a group whose merchants have one currency. */
export function groupPage(language: Language): RenderedMail {
  return renderGroup({
    group: groupIn(language),
    page: samplePageOfGroup(['KWD']),
    preview: false,
    attachments: [
      { kind: 'attached', format: 'xlsx', filename: 'group-2026-11-r1-north-stores.xlsx', rows: 7 },
    ],
  });
}

/** The page of a group of two currencies, final. */
export function groupOfCurrencies(language: Language): RenderedMail {
  const page = samplePageOfGroup(['KWD', 'SAR']);
  return renderGroup({
    group: groupIn(language),
    page: { ...page, missing: [], corrections: [] },
    preview: false,
    attachments: [],
  });
}
