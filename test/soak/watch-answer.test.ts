import { describe, expect, it } from 'vitest';
import { addressHash } from '#domain/storage/keys.ts';
import type { Ledger } from '#domain/ledger/ledger.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import { watchAnswer } from '#soak/truths/watch-answer.ts';
import type { ReportAsItIs } from '#soak/truths/watch-answer.ts';

const [merchantCode, day, A] = ['700001', '2026-11-20', 'a@merchants.example'];

function report(status: string | undefined, balanced = true): ReportAsItIs {
  const recipients = status === undefined ? [] : [{ to: addressHash(A), status, round: 1, reason: null }];
  const ledger = { status: status ?? 'intended', round: 1, recipients } as Ledger;
  return {
    merchantCode,
    day,
    recipients: [A],
    manifests: status === undefined ? [] : [{ balanced } as Manifest],
    ledgers: status === undefined ? [] : [ledger],
    mails: [],
  };
}

const delivered = { expected: 1, delivered: 1, missing: [] };
const missing = (reason: string) => ({ expected: 1, delivered: 0, missing: [{ merchantCode, day, reason }] });

describe("the watch's answer", () => {
  it.each([
    ['delivered', delivered, report('delivered')],
    ['not pulled', missing('pull failed: LoginRefusedError'), report(undefined)],
    ['held', missing('mail held'), report('held')],
    ['refused', missing('mail not sent'), report('failed')],
    ['bounced', missing('bounced'), report('bounced')],
    ['unbalanced', missing('unbalanced'), report('delivered', false)],
  ])('is believed where it is so: %s', (_, answer, is) => {
    expect(watchAnswer(answer, [is])).toEqual([]);
  });

  it.each([
    ['nothing is sealed', delivered, report(undefined)],
    ['it does not balance', delivered, report('delivered', false)],
    ['the mail was refused', delivered, report('failed')],
    ['the mail is held', delivered, report('held')],
    ['it was pulled', missing('no run'), report('delivered')],
    ['nothing is held', missing('mail held'), report('delivered')],
    ['nobody complained', missing('complained'), report('delivered')],
    ['it balances', missing('unbalanced'), report('delivered')],
    ['nobody knows the reason', missing('some reason'), report('failed')],
  ])('is not where %s', (_, answer, is) => {
    expect(watchAnswer(answer, [is])).toMatchObject([{ merchantCode, day }]);
  });

  it('counts everybody, and nobody else', () => {
    expect(watchAnswer(delivered, [])).toEqual([{ what: 'the watch counts 1 of 1; 0 were due' }]);
    expect(watchAnswer(missing('no run'), [])).toHaveLength(2);
  });
});
