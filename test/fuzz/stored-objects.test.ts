import PostalMime from 'postal-mime';
import { composeMail } from '#mail/message/mime.ts';
import { HistoryStore } from '#page/history-store.ts';
import { LedgerStore } from '#mail/ledger-store.ts';
import { TickStore } from '#plan/tick-store.ts';
import { DayStore } from '#page/day-store.ts';
import { watchedRefundIds } from '#page/watch-list.ts';
import { dayAt } from '#records/day/business-day.ts';
import { daysBefore, figuresOfDay } from '#records/figures/history.ts';
import { ledgerAfter, withOutcome } from '#records/ledger/ledger-events.ts';
import { perhapsReceived, withUnsettledHeld, settledStatus } from '#records/ledger/ledger-rounds.ts';
import { ledgerSchema } from '#records/ledger/ledger.ts';
import { manifestSchema } from '#records/revision/manifest.ts';
import { SealedLineError, takeSealedRow } from '#records/rows/read-sealed-row.ts';
import { INVOICE_COLUMNS, peopleCells } from '#page/rendering/attachments/attachment-columns.ts';
import { AttachmentWords } from '#page/rendering/attachments/attachment-words.ts';
import { renderReport } from '#page/rendering/report/render-report.ts';
import { aLedger, anEntry, FIGURES, sealedManifest } from '#support/records/manifests.ts';
import { fc, forAllAsync } from '#support/assertions/index.ts';
import { aReport } from '#support/rendering/reports.ts';
import { bucketOf } from '#support/fuzz/bucket-of.ts';
import { hostileText, orNamedErrorLater, runs } from '#support/fuzz/mutations.ts';

const AT = '2026-11-21T03:00:07.480Z';
const BUCKET = 'data';

function fuzzed(
  document: unknown,
  use: (text: string) => Promise<void>,
  texts = hostileText(document),
): Promise<void> {
  return forAllAsync([texts], runs(500), async (text) => {
    await orNamedErrorLater(() => use(text));
  });
}

describe('a damaged object in the bucket is refused, or read into values that the code can use:', () => {
  it('a ledger', () => {
    const entry = anEntry('ab'.repeat(32), 'intended');
    const other = anEntry('cd'.repeat(32), 'accepted', { messageId: 'm' });
    const ledger = aLedger([entry, other], { status: 'intended', figures: FIGURES });
    return fuzzed(ledger, async (text) => {
      const read = (await new LedgerStore(bucketOf({ '': text }), BUCKET).read('mail/1'))?.ledger;
      if (read === undefined) return;
      for (const is of ['sent', 'delivered', 'hard bounce'] as const) {
        ledgerAfter(read, { is, messageId: 'm', recipient: entry.to, at: AT, detail: null });
      }
      settledStatus(withUnsettledHeld(read, AT));
      perhapsReceived(
        withOutcome(read, { to: entry.to, status: 'accepted', messageId: 'n', at: AT, reason: null }),
      );
      // A writer whose time is not a number would never expire.
      expect(Date.parse(read.until)).not.toBeNaN();
    });
  });

  it('a history, which never prevents a mail', () => {
    const known = figuresOfDay(sealedManifest());
    const days = ['2026-11-19', '2026-11-13', '2026-11-12'].map((day) => ({ ...known, day }));
    return fuzzed({ merchantCode: '700001', days }, async (text) => {
      const s3 = bucketOf({ '': text });
      const snapshots = new DayStore(s3, BUCKET);
      // Nothing is sealed, so the history that was read is all that is known.
      snapshots.newest = () => Promise.resolve(undefined);
      const at = { today: '2026-11-21', timeZone: 'Asia/Kuwait', followFor: 90 };
      const read = await new HistoryStore(s3, BUCKET, snapshots).read('700001', '2026-11-20', at);
      const manifest = { ...sealedManifest(), history: daysBefore(read.days, '2026-11-20') };
      renderReport(aReport({ manifest, history: manifest.history }));
    });
  });

  it('the record of a check', () => {
    const record = {
      ...{ merchantCode: '700001', day: '2026-11-20', checkedAt: AT, pull: 'p', outcome: 'sealed' },
      ...{ revision: 1, scheduledTime: null, error: null, asOf: AT },
    };
    return fuzzed(record, async (text) => {
      const read = await new DayStore(bucketOf({ '': text }), BUCKET).lastCheck('700001', '2026-11-20');
      if (typeof read?.asOf === 'string') dayAt(Date.parse(read.asOf), 'Asia/Kuwait');
    });
  });

  it('the last tick', () =>
    fuzzed({ tick: AT, since: AT }, async (text) => {
      const read = await new TickStore(bucketOf({ '': text }), BUCKET).last();
      if (read.is === 'known') expect(Date.parse(read.tick)).not.toBeNaN();
      expect(read.is).not.toBe('none');
    }));

  it('a watch list, which gives only ids', async () => {
    const read = async (csv: string, json: string) => {
      const ids = await watchedRefundIds(bucketOf({ '.csv': csv, '.json': json }), BUCKET, '700001');
      for (const id of ids) expect(id).toMatch(/^\d{1,30}$/);
    };
    await fuzzed([1, '2', 3], (text) => read('', text));
    const csv = fc.array(
      fc.oneof(
        fc.nat().map(String),
        fc.constantFrom('id', '"7"', ' 8 ', '\uFEFF9', '', 'x,1', '"'),
        fc.string(),
      ),
    );
    const lines = csv.map((all) => all.join('\r\n'));
    await fuzzed([], (text) => read(text, '[]'), lines);
  });
});

/** Inputs that random tests found, each as it was found. */
describe('an input that random tests found', () => {
  it.each(['-1', '', 'yesterday', '2026-11-21'])(
    'is refused: a manifest whose time of the pull is %j',
    (pulledAt) => {
      expect(manifestSchema.safeParse(sealedManifest()).success).toBe(true);
      expect(manifestSchema.safeParse({ ...sealedManifest(), pulledAt }).success).toBe(false);
    },
  );

  it.each(['intendedAt', 'until'])('is refused: a ledger whose %s is not a time', (member) => {
    const ledger = aLedger([]);
    expect(ledgerSchema.safeParse(ledger).success).toBe(true);
    expect(ledgerSchema.safeParse({ ...ledger, [member]: 'never' }).success).toBe(false);
  });

  it('is refused: a sealed line that nests deeper than the stack allows', () => {
    const deep = `{"payment_method":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    const attachments = { paymentMethods: {} };
    const words = new AttachmentWords(
      { language: 'en', refunds: { statuses: {} }, attachments },
      '2026-11-20',
    );
    const read = (columns: string[]) => {
      takeSealedRow(deep, new Set(columns), (row) => peopleCells(row, INVOICE_COLUMNS, words));
    };
    expect(() => read([])).toThrow(SealedLineError);
    expect(() => read(['token'])).toThrow(SealedLineError);
  });

  it.each(['=?utf-8?B?QmNjOiB4QGV4YW1wbGUuY29t?=', 'Cafe =?utf-8?Q?=0D=0ABcc:_x?= 2026-11-20'])(
    'is shown as it is: a subject that looks encoded, %s',
    async (subject) => {
      const [from, to] = ['daybook@example.com', 'a@example.com'];
      const raw = await composeMail({ from, to, subject, text: 'x', html: 'x', at: 0 });
      expect((await PostalMime.parse(raw)).subject).toBe(subject);
    },
  );
});
