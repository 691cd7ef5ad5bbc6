import type { S3Client } from '@aws-sdk/client-s3';
import { AlertStateStore } from '#alerts/alert-state-store.ts';
import { StoredObjectError } from '#runtime/s3-objects.ts';
import { figuresOfDay } from '#records/figures/history.ts';
import { periodDays } from '#records/period/period.ts';
import {
  comparedPeriod,
  addedStatementSchema,
  statementSchema,
  type Statement,
} from '#page/figures/statement.ts';
import { memberOfDay, memberOfStatement, type AddedMember } from '#page/figures/compose-group.ts';
import { composeStatement } from '#page/figures/compose-statement.ts';
import { groupPageSchema, storedGroupPageSchema } from '#page/figures/group-page.ts';
import { renderAlert } from '#alerts/rendering/render-alert.ts';
import { renderCorrection } from '#page/rendering/correction/render-correction.ts';
import { groupWorkbook } from '#page/rendering/group/group-workbook.ts';
import { renderGroup } from '#page/rendering/group/render-group.ts';
import { renderReport } from '#page/rendering/report/render-report.ts';
import { renderStatement } from '#page/rendering/statement/render-statement.ts';
import { statementDocument } from '#page/rendering/statement/statement-document.ts';
import { PageStore } from '#page/page-store.ts';
import { dataFile, figuresOf } from '#records/revision/manifest.ts';
import { merchantDay } from '#records/storage/keys.ts';
import { DayStore } from '#page/day-store.ts';
import { placedManifest, FIGURES } from '#support/records/manifests.ts';
import { LARGE_REFUND, RESOLVED, STILL_FIRING } from '#support/rendering/alerts.ts';
import { aCorrection, aReport } from '#support/rendering/reports.ts';
import { bucketOf } from '#support/fuzz/bucket-of.ts';
import {
  aGroupInput,
  aGroupCorrection,
  aGroupPage,
  aMember,
  aWeekOf,
  aComparedPeriod,
  aPage,
  aStatement,
  aStatementInput,
} from '#support/rendering/statements.ts';

const BUCKET = 'data';

/** Values that a schema may take for a count, an amount, a currency, a day or a time, and that nothing behind it can use. */
const VALUES = [
  ...[null, {}, [], '', 'x', '1', '1.0', '-1.000', '-0.000', '1e3', 'NaN', 'KW', 'kwd', 'ZZZ', '__proto__'],
  ...[40, 60, 61].map((digits) => `${'9'.repeat(digits)}.999`),
  `-${'9'.repeat(44)}.999`,
  ...['2026-02-30', '0000-01-01', '9999-12-31', '0000-01-01T00:00:00Z'],
  ...[-1, 0.5, 10_000_000_000, 10_000_000_001, 400_000_000_000, 2 ** 53, 1e300],
  ...[Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER],
];

interface Variant {
  what: string;
  text: string;
}

/** The document with each of its values, in turn, as each of {@link VALUES}, and with each member under another name. */
function* variants(document: unknown): Generator<Variant> {
  const text = JSON.stringify(document);
  const copy: unknown = JSON.parse(text);
  yield { what: 'as it is', text };
  yield* variantsWithin(copy, copy, '');
}

function* variantsWithin(whole: unknown, part: unknown, path: string): Generator<Variant> {
  if (typeof part !== 'object' || part === null) return;
  for (const [name, value] of Object.entries(part)) {
    const at = `${path}/${name}`;
    for (const other of VALUES) {
      Reflect.set(part, name, other);
      yield { what: `${at} = ${JSON.stringify(other)}`.slice(0, 200), text: JSON.stringify(whole) };
    }
    Reflect.deleteProperty(part, name);
    if (!Array.isArray(part)) {
      for (const other of ['ZZZ', 'x', '']) {
        Reflect.set(part, other, value);
        yield { what: `${at} as ${other}`, text: JSON.stringify(whole) };
        Reflect.deleteProperty(part, other);
      }
    }
    Reflect.set(part, name, value);
    yield* variantsWithin(whole, value, at);
  }
}

/** Reads every variant. What is refused names the key; what is read can be used, and that is more than a hundred. */
async function eachVariant<Value>(
  document: unknown,
  key: string,
  read: (s3: S3Client) => Promise<Value | undefined>,
  use: (value: Value) => void,
): Promise<void> {
  const seen = new Set<string>();
  for (const { what, text } of variants(document)) {
    let value: Value | undefined;
    try {
      value = await read(bucketOf({ '': text }));
    } catch (error) {
      if (!(error instanceof StoredObjectError))
        throw new Error(`${what} is refused without a key`, { cause: error });
      expect(error.message, what).toContain(key);
      expect(error.message.length, what).toBeLessThan(400);
      continue;
    }
    // What the schema makes of two of them may be the same.
    const known = JSON.stringify(value);
    if (value === undefined || seen.has(known)) continue;
    seen.add(known);
    try {
      use(value);
    } catch (error) {
      throw new Error(`${what} is read, and cannot be used`, { cause: error });
    }
  }
  expect(seen.size).toBeGreaterThan(100);
}

const MISSING = ['2026-11-15', '2026-11-16', '2026-11-17', '2026-11-18', '2026-11-20', '2026-11-21'];
const CHARGES = ['admin_charge', 'service_charge'] as const;
const SETTINGS = { name: 'Coffee', timeZone: 'Asia/Kuwait', currency: 'KWD', charges: CHARGES, redact: [] };
const DAYS = periodDays('2026-W47', 'sunday');
const SEALED = { revision: 1, sealedAt: '2026-11-22T05:00:04.000Z', scheduledTime: null, previous: null };

/** Seals and renders the page of a group that adds up the same page twice, and others. */
function useInGroup(added: AddedMember, others: readonly AddedMember[], period: string): void {
  const members = [added, added, ...others];
  const page = groupPageSchema.parse(aGroupPage(members, { period }));
  const input = aGroupInput(page);
  renderGroup(input);
  groupWorkbook(input);
}

function useStatement(statement: Statement): void {
  const input = aStatementInput({ statement });
  renderStatement(input);
  statementDocument(input);
}

describe('whatever is read from a stored object can be added up and rendered:', { timeout: 600_000 }, () => {
  it('a manifest', async () => {
    const history = ['2026-11-13', '2026-11-06'].map((day) => figuresOfDay(aPage(day)));
    const { files: _, ...page } = aPage('2026-11-20', { history });
    const document = placedManifest({ ...page, merchantCode: '700001', revision: 1 });
    const others = ['2026-11-15', '2026-11-16'].map((day) => aPage(day));
    await eachVariant(
      document,
      'days/day=2026-11-20/merchant=700001/r0001.json',
      (s3) => new DayStore(s3, BUCKET).revision({ ...merchantDay('700001', '2026-11-20'), revision: 1 }),
      (manifest) => {
        renderReport(aReport({ manifest, history: manifest.history }));
        renderCorrection(aCorrection({ manifest, before: FIGURES }));
        renderCorrection(aCorrection({ before: figuresOf(manifest), earlier: manifest }));
        figuresOfDay(manifest);
        dataFile(manifest, 'refunds', 'csv');
        useInGroup(memberOfDay(manifest, SETTINGS), [aMember('700002')], '2026-11-20');
        const subject = { merchantCode: '700001', period: '2026-W47', ...DAYS, ...SETTINGS, followed: [] };
        const content = composeStatement(subject, [manifest, manifest, ...others]);
        useStatement(statementSchema.parse({ ...content, ...SEALED, before: null, lastYear: null }));
      },
    );
  });

  it('a statement', async () => {
    const whole = aStatement(
      { charges: SETTINGS.charges, missing: MISSING, unbalanced: ['2026-11-19'] },
      { before: aComparedPeriod('2026-W46') },
    );
    // Each further day has the same members, and so has the period of last year.
    const document = { ...whole, days: whole.days.slice(0, 1) };
    const [plain, other] = [aStatement(), aWeekOf('700002')];
    // Most members of a statement are not compared with those of another.
    const compared = new Set<string>();
    const place = { owner: { merchantCode: '700001' }, period: '2026-W47', revision: 1 };
    const key = 'statements/period=2026-W47/merchant=700001/r0001.json';
    await eachVariant(
      document,
      key,
      (s3) => new PageStore(s3, BUCKET, statementSchema).revision(place),
      (statement) => {
        useStatement(statement);
        const period = comparedPeriod(statement);
        const asKnown = JSON.stringify(period);
        if (!compared.has(asKnown)) useStatement({ ...plain, before: period, lastYear: period });
        compared.add(asKnown);
        useInGroup(memberOfStatement(statement, { name: 'x' }), [other], '2026-W47');
      },
    );
    await eachVariant(
      document,
      key,
      (s3) => new PageStore(s3, BUCKET, addedStatementSchema).revision(place),
      (statement) => useInGroup(memberOfStatement(statement, { name: 'x' }), [other], '2026-W47'),
    );
  });

  it("a group's page", async () => {
    const place = { owner: { group: 'north' }, period: '2026-11-20', revision: 1 };
    const document = aGroupPage(
      [
        aMember('700001', { usual: { received: '190.000', total: 20 } }),
        aMember('700003', { currency: 'SAR', balanced: false, final: false }),
      ],
      {
        missing: [{ merchantCode: '700008', name: 'Marina Books', reason: 'not-readable' }],
        corrections: [aGroupCorrection()],
      },
    );
    await eachVariant(
      document,
      'statements/period=2026-11-20/group=north/r0001.json',
      (s3) => new PageStore(s3, BUCKET, storedGroupPageSchema).revision(place),
      (page) => {
        const input = aGroupInput(page);
        renderGroup(input);
        groupWorkbook(input);
      },
    );
  });

  it('the pending mail of alerts', async () => {
    const at = '2026-11-20T17:00:00.000Z';
    const document = {
      day: '2026-11-20',
      tick: at,
      rules: {
        unpaid: {
          ...{ measure: 'unpaidCount', side: 'above', place: 'firing', checks: 2, firingSince: at },
          ...{ announced: { since: at, at, day: null }, cameBack: null, value: '57.000', noDataSince: null },
        },
      },
      owed: { check: 'c', day: '2026-11-20', lines: [STILL_FIRING, RESOLVED, LARGE_REFUND] },
    };
    const { merchant } = aReport();
    await eachVariant(
      document,
      'alerts/merchant=700001/state.json',
      (s3) => new AlertStateStore(s3, BUCKET).read('700001'),
      ({ state: { owed, tick } }) => {
        if (owed !== null)
          renderAlert({ merchant, day: owed.day, checkedAt: tick, replyTo: null, lines: owed.lines });
      },
    );
  });
});
