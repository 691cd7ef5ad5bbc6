import { addressHash } from '#records/storage/keys.ts';
import type { Ledger } from '#records/ledger/ledger.ts';
import { watchAnswer, type ReportAsItIs } from '#soak/truths/watch-answer.ts';
import { aLedger, anEntry, FIGURES, sealedManifest } from '#support/records/manifests.ts';

const [merchantCode, day, A] = ['700001', '2026-11-20', 'a@merchants.example'];

type Status = Ledger['status'];

function report(status: Status | undefined, balanced = true): ReportAsItIs {
  const ofReport = { merchantCode, day, recipients: [A], mails: [] };
  if (status === undefined) return { ...ofReport, manifests: [], ledgers: [] };
  const entry = anEntry(addressHash(A), status, { messageId: 'm-1' });
  return {
    ...ofReport,
    manifests: [sealedManifest({ ...FIGURES, balanced })],
    ledgers: [aLedger([entry], { status })],
  };
}

const delivered = { expected: 1, delivered: 1, missing: [] };
const missing = (reason: string) => ({ expected: 1, delivered: 0, missing: [{ merchantCode, day, reason }] });

it.each([
  ['delivered', delivered, report('delivered')],
  ['not pulled', missing('pull failed: LoginRefusedError'), report(undefined)],
  ['held', missing('mail held'), report('held')],
  ['refused', missing('mail not sent'), report('failed')],
  ['bounced', missing('bounced'), report('bounced')],
  ['unbalanced', missing('unbalanced'), report('delivered', false)],
])('accepts an answer that is right: %s', (_, answer, is) => {
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
])('rejects an answer that is wrong because %s', (_, answer, is) => {
  expect(watchAnswer(answer, [is])).toMatchObject([{ merchantCode, day }]);
});

it('rejects an answer that counts too many or too few', () => {
  expect(watchAnswer(delivered, [])).toEqual([{ what: 'the watch counts 1 of 1; 0 were due' }]);
  expect(watchAnswer(missing('no run'), [])).toHaveLength(2);
});
