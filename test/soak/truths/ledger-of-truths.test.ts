import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { dataFile } from '#records/revision/manifest.ts';
import { CHANGES, addressHash, ledgerKey, suppressionKey, manifestKey } from '#records/storage/keys.ts';
import type { SentMail } from '#sandbox/aws/index.ts';
import { soak, type SoakResult } from '#soak/soak.ts';
import { evidenceOf } from '#soak/truths/evidence.ts';
import { type Facts, ledgerOfTruths } from '#soak/truths/ledger-of-truths.ts';
import { defined, membersOf } from '#support/assertions/index.ts';
import { newDirectory } from '#support/machine.ts';

/*
 * A check that cannot fail proves nothing. One short run keeps all its promises. Each test then damages one part of its
 * results, and the ledger of truths must name that part.
 */

const LONGEST_RUN = 10 * 60_000;
const silent = { line: () => undefined, progress: () => undefined };

let result: SoakResult;
beforeAll(async () => {
  result = await soak({ days: 2, merchants: 3, seed: 'harbour', workers: 2 }, newDirectory(), silent);
}, LONGEST_RUN);

function said(
  change: (objects: Map<string, Buffer>, mails: SentMail[]) => void,
  facts: Partial<Facts> = {},
): string[] {
  const objects = new Map(result.evidence.objects);
  const mails = [...result.evidence.mails];
  change(objects, mails);
  const { opsTold } = result.evidence;
  const evidence = { ...evidenceOf(objects, mails, []), opsTold };
  return ledgerOfTruths(evidence, { ...result.facts, ...facts }).map(({ merchantCode, day, what }) =>
    [merchantCode, day, what].join(' '),
  );
}

/** A day with rows that has one revision, and whose report was mailed. */
function someDay() {
  for (const [manifest, ...others] of result.evidence.days.values()) {
    if (manifest === undefined || others.length > 0) continue;
    const { day, merchantCode } = manifest;
    const ledger = result.evidence.ledgers.get(ledgerKey(day, merchantCode, 1));
    const entry = ledger?.recipients.find(({ messageId }) => messageId !== null);
    const mail = result.evidence.mails.find(({ messageId }) => messageId === entry?.messageId);
    const isSmall = dataFile(manifest, 'invoices', 'json').rows === 0;
    if (ledger === undefined || mail === undefined || isSmall) continue;
    const [sealedAt, ledgerAt] = [manifestKey(day, merchantCode, 1), ledgerKey(day, merchantCode, 1)];
    return { manifest, day, merchantCode, sealedAt, ledger, ledgerAt, mail, named: `${merchantCode} ${day}` };
  }
  throw new Error('the run has no such day');
}

function putJson(objects: Map<string, Buffer>, key: string, value: unknown): void {
  objects.set(key, Buffer.from(JSON.stringify(value)));
}

function matching(pattern: string | RegExp): unknown {
  return expect.arrayContaining([expect.stringMatching(pattern)]);
}

it('the ledger of truths finds nothing wrong after an undisturbed run', () => {
  expect(result.broken).toEqual([]);
  expect(said(() => undefined)).toEqual([]);
});

describe('the ledger of truths finds in the sealed files', () => {
  it('a changed byte of a file', () => {
    const { manifest, named } = someDay();
    const { key } = dataFile(manifest, 'invoices', 'csv');
    const broken = said((objects) => {
      const body = Buffer.from(defined(objects.get(key)));
      body.writeUInt8(body.readUInt8(body.length - 1) ^ 1, body.length - 1);
      objects.set(key, body);
    });
    expect(broken).toEqual([`${named} revision 1: ${key} is not the file that was sealed`]);
  });

  it('a missing file', () => {
    const { manifest, named } = someDay();
    const { key } = dataFile(manifest, 'refunds', 'csv');
    expect(said((objects) => objects.delete(key))).toEqual([
      `${named} revision 1: ${key} is sealed but missing`,
    ]);
  });

  it('a changed value of a row, even when size and hash fit', () => {
    const newest = [...result.evidence.days.values()].map((own) => defined(own.at(-1)));
    const large = newest.find((own) => dataFile(own, 'invoices', 'json').rows > 0);
    const manifest = structuredClone(defined(large));
    const file = dataFile(manifest, 'invoices', 'json');
    const broken = said((objects) => {
      const [first = '', ...others] = gunzipSync(defined(objects.get(file.key)))
        .toString()
        .split('\n');
      const row = { ...membersOf(JSON.parse(first)), description: 'another' };
      const body = gzipSync([JSON.stringify(row), ...others].join('\n'));
      Object.assign(file, { bytes: body.length, sha256: createHash('sha256').update(body).digest('hex') });
      objects.set(file.key, body);
      putJson(objects, manifestKey(manifest.day, manifest.merchantCode, manifest.revision), manifest);
    });
    expect(broken).toEqual([
      expect.stringMatching(
        `^${manifest.merchantCode} ${manifest.day} revision ${manifest.revision}: invoice \\d+ is not sealed with its current content`,
      ),
    ]);
  });

  it('a changed figure of a manifest', () => {
    const { manifest, sealedAt, named } = someDay();
    const counts = { ...manifest.counts, paid: 1_000 };
    expect(said((objects) => putJson(objects, sealedAt, { ...manifest, counts }))).toEqual(
      matching(`^${named} revision 1: counts: sealed .*1000`),
    );
  });

  it('a day without a revision, and a gap between revisions', () => {
    const { manifest, day, merchantCode, sealedAt, named } = someDay();
    expect(said((objects) => objects.delete(sealedAt))).toEqual(
      matching(/(?:no revision is sealed|revision 2: is number 1 in the list)$/),
    );
    const broken = said((objects) =>
      putJson(objects, manifestKey(day, merchantCode, 9), { ...manifest, revision: 9 }),
    );
    expect(broken).toEqual(matching(`^${named} revision 9: is number \\d in the list`));
    expect(broken).toEqual(matching(`^${named} revision 9: .* also belongs to another revision$`));
  });

  it('an invoice of the service that Daybook does not have', () => {
    const first = defined(result.facts.days.find(({ invoices }) => invoices.length > 0));
    const more = { ...defined(first.invoices[0]), id: 1 };
    const days = result.facts.days.map((day) =>
      day === first ? { ...day, invoices: [...day.invoices, more] } : day,
    );
    expect(said(() => undefined, { days })).toEqual([
      expect.stringMatching(`^${first.merchantCode} ${first.day} .*invoice 1 of the service is not sealed$`),
    ]);
  });
});

describe('the ledger of truths finds among the mails', () => {
  it('a mail that was never sent', () => {
    const { mail, named } = someDay();
    const broken = said((_, mails) => mails.splice(mails.indexOf(mail), 1));
    expect(broken).toEqual([expect.stringMatching(`^${named} .*has a message id of no mail of its own$`)]);
  });

  it('a mail that was sent twice', () => {
    const { mail, named } = someDay();
    const broken = said((_, mails) => mails.push({ ...mail, messageId: 'another' }));
    expect(broken).toEqual(matching(`^${named} .* got a mail that is not in the ledger$`));
    expect(broken).toEqual(matching(`^${named} .* got 2 mails in 1 rounds$`));
  });

  it('a mail of an older revision after a newer one', () => {
    const { mail, named } = someDay();
    const newer = { ...mail, tags: { ...mail.tags, revision: '7' } };
    expect(said((_, mails) => mails.unshift(newer))).toEqual(
      matching(`^${named} .* got the revisions 7, 1 in this order$`),
    );
  });

  it('a recipient without a mail, and a recipient whose last mail has old figures', () => {
    const { ledger, ledgerAt: key, named } = someDay();
    const nobody = { ...ledger, status: 'accepted', recipients: ledger.recipients.slice(1) };
    expect(said((objects) => putJson(objects, key, nobody))).toEqual(matching(`^${named} `));
    const figures = structuredClone(defined(ledger.figures));
    figures.counts.total = 1_000;
    expect(said((objects) => putJson(objects, key, { ...ledger, figures }))).toEqual(
      matching(`^${named} .* last got figures that are no longer current$`),
    );
  });

  it('a ledger that is open, that is held without a notice to ops, or that is missing', () => {
    const { ledger, ledgerAt: key, named } = someDay();
    const withStatus = (status: string) => {
      const recipients = ledger.recipients.map((entry) => ({ ...entry, status }));
      return said((objects) => putJson(objects, key, { ...ledger, status, recipients }));
    };
    expect(withStatus('intended')).toEqual(matching(`^${named} ${key} is still open$`));
    expect(withStatus('held')).toEqual(matching(`^${named} ${key} is held, and ops were not notified$`));
    expect(said((objects) => objects.delete(key))).toEqual(matching(`^${named} revision 1 has no ledger$`));
    expect(said((objects) => objects.delete(key))).toEqual(
      matching(`^${named} \\d mails of ${key}, and there is no`),
    );
  });

  it('a mail to a stopped address, and a stop without a reason', () => {
    const { mail } = someDay();
    const hash = addressHash(defined(mail.destinations[0]));
    const from = mail.at.getTime() - 1;
    const stops = [{ hash, from, until: null }];
    const broken = said((objects) => putJson(objects, suppressionKey(hash), { reason: 'x' }), { stops });
    expect(broken).toEqual(matching(/went to an address whose mail was stopped$/));
    expect(said((objects) => putJson(objects, suppressionKey('a'.repeat(64)), { reason: 'x' }))).toEqual([
      expect.stringMatching(/was lifted, or nothing caused it$/),
    ]);
  });
});

it('the ledger of truths finds among the alerts a check whose alert was not mailed, and an alert without a cause', () => {
  const told = defined([...result.evidence.ledgers.keys()].find((key) => key.startsWith('mail/alerts/')));
  const broken = said((objects) => objects.delete(told));
  expect(broken).toEqual(matching(/nobody was notified of the result of check \d{8}T\d{6}Z$/));
  const unfounded = told.replace(/\/\d{8}T/, '/20250101T');
  expect(said((objects) => objects.set(unfounded, defined(objects.get(told))))).toEqual(
    matching(/that check had nothing to report$/),
  );
});

describe('the ledger of truths finds in the bucket', () => {
  it('an unknown object, and a malformed object', () => {
    const { day, merchantCode, sealedAt, named } = someDay();
    const key = `${sealedAt}.bak`;
    expect(said((objects) => objects.set(key, Buffer.from('{}')))).toEqual([
      `${named} ${key} is an object of no known kind`,
    ]);
    const checked = `checked/day=${day}/merchant=${merchantCode}.json`;
    expect(said((objects) => objects.set(checked, Buffer.from('{')))).toEqual([
      `${named} ${checked} does not have the content of its kind`,
    ]);
  });

  it('a data file without a seal that is older than two days', () => {
    const { manifest, named } = someDay();
    const { key } = dataFile(manifest, 'invoices', 'json');
    const orphan = key.replace(/\d{8}T/, '20260101T');
    expect(said((objects) => objects.set(orphan, Buffer.alloc(0)))).toEqual([
      `${named} ${orphan} belongs to no revision and was not removed`,
    ]);
  });

  it.each(['days', 'mail'] as const)('a change without its marker: %s', (what) => {
    const { day, sealedAt, ledgerAt, named } = someDay();
    const changed = { days: sealedAt, mail: ledgerAt }[what];
    const broken = said((objects) => {
      for (const key of objects.keys())
        if (key.startsWith(CHANGES) && key.endsWith(`-${what}-${day}.json`)) objects.delete(key);
    });
    expect(broken).toContain(`${named} ${changed} was written without a change marker`);
  });
});
