import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { composeMail } from '#mail/message/mime.ts';
import { ledgerSchema } from '#records/ledger/ledger.ts';
import { manifestSchema } from '#records/revision/manifest.ts';
import { SealedLineError, takeSealedRow } from '#records/rows/read-sealed-row.ts';
import { peopleCells, INVOICE_COLUMNS } from '#page/rendering/attachments/attachment-columns.ts';
import { AttachmentWords } from '#page/rendering/attachments/attachment-words.ts';
import { aLedger } from '#support/domain/ledgers.ts';
import { sealedManifest } from '#support/domain/sealed-manifest.ts';

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
    const settings = {
      language: 'en',
      refunds: { statuses: {} },
      attachments: { paymentMethods: {} },
    } as const;
    const words = new AttachmentWords(settings, '2026-11-20');
    const read = (columns: string[]) => {
      takeSealedRow(deep, new Set(columns), (row) => peopleCells(row, INVOICE_COLUMNS, words));
    };
    expect(() => read([])).toThrow(SealedLineError);
    expect(() => read(['token'])).toThrow(SealedLineError);
  });

  it.each(['=?utf-8?B?QmNjOiB4QGV4YW1wbGUuY29t?=', 'Cafe =?utf-8?Q?=0D=0ABcc:_x?= 2026-11-20'])(
    'is shown as it is: a subject that looks encoded, %s',
    async (subject) => {
      const raw = await composeMail({
        from: 'daybook@example.com',
        to: 'a@example.com',
        subject,
        text: 'x',
        html: 'x',
        at: 0,
      });
      expect((await PostalMime.parse(raw)).subject).toBe(subject);
    },
  );
});
