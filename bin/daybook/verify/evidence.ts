import * as z from 'zod';
import { hashSchema, isSigned, pageLine, readProof, rootByPath, sha256 } from '#proofs/proof.ts';
import type { Proof } from '#proofs/proof.ts';
import { isMerchantDay, pageInKey, proofKey } from '#records/storage/keys.ts';
import { jsonOrNothing } from '../files.ts';

/** Everything that shows that a page existed on a night. `verify --save` writes it, and reading it needs no AWS. */
export const evidenceSchema = z.strictObject({
  format: z.literal('daybook-evidence-1'),
  /** The object's text, byte for byte. */
  page: z.strictObject({ key: z.string(), text: z.string() }),
  /** The files of a day's rows in base64. `null`: they are gone, or may not be read. */
  rows: z.array(z.strictObject({ key: z.string(), content: z.base64().nullable() })),
  /** Where the page is in which proof. */
  path: z.strictObject({ date: z.string(), index: z.int().min(0), hashes: z.array(hashSchema) }),
  /** All proofs, the oldest first: the texts of the objects. */
  proofs: z.array(z.strictObject({ key: z.string(), text: z.string() })),
});
export type Evidence = z.infer<typeof evidenceSchema>;

/** What is wrong with an object, or why it cannot be checked. */
export interface Finding {
  object: string;
  what: string;
}

export interface Findings {
  /** An object is not the one that was signed for. */
  wrong: Finding[];
  /** What cannot be checked. */
  missing: Finding[];
}

/** Such as the digest of a day's rows, as mails show it in short. */
const sealedSchema = z.object({
  digest: z.string().default(''),
  files: z.array(z.object({ key: z.string(), sha256: hashSchema, rows: z.int() })).default([]),
});

/** What a page says of itself. */
export function sealedIn(text: string): z.infer<typeof sealedSchema> | undefined {
  return sealedSchema.safeParse(jsonOrNothing(text)).data;
}

/** As a file. */
export function evidenceText(evidence: Evidence): string {
  return `${JSON.stringify(evidence)}\n`;
}

/** `undefined` when the text is not byte for byte as {@link evidenceText} writes it. */
export function readEvidence(text: string): Evidence | undefined {
  const evidence = evidenceSchema.safeParse(jsonOrNothing(text)).data;
  return evidence !== undefined && evidenceText(evidence) === text ? evidence : undefined;
}

/** Of a public key in DER: what people compare. */
export function fingerprint(publicKey: string): string {
  return sha256(Buffer.from(publicKey, 'base64'));
}

/** @param trusted fingerprints of the only keys that may have signed; without it, one key has signed everything */
export function checkEvidence(evidence: Evidence, trusted?: ReadonlySet<string>): Findings {
  const { page, path } = evidence;
  const chain = checkChain(evidence.proofs, trusted);
  const rows = checkRows(evidence);
  const proof = chain.proofs.find(({ date }) => date === path.date);
  const wrong = [...chain.wrong, ...rows.wrong];
  if (proof === undefined) {
    if (!chain.wrong.some(({ object }) => object === proofKey(path.date)))
      wrong.push({ object: proofKey(path.date), what: 'has the page, and is not here' });
  } else {
    const place = { index: path.index, size: proof.pages, path: path.hashes };
    const root = rootByPath(pageLine({ key: page.key, sha256: sha256(page.text) }), place);
    if (root !== proof.root)
      wrong.push({
        object: page.key,
        what: `is not the page that the proof of ${proof.date} has, or its path there was changed`,
      });
  }
  return { wrong, missing: rows.missing };
}

/** Each proof, and whether each follows the one before it. */
function checkChain(
  texts: Evidence['proofs'],
  trusted?: ReadonlySet<string>,
): { proofs: Proof[]; wrong: Finding[] } {
  const wrong: Finding[] = [];
  const proofs: Proof[] = [];
  let before: { key: string; text: string; date: string | undefined } | undefined;
  for (const { key, text } of texts) {
    const say = (what: string) => wrong.push({ object: key, what });
    const proof = readProof(text);
    if (proof === undefined) say('is not a proof, or was changed');
    else {
      proofs.push(proof);
      if (proofKey(proof.date) !== key) say(`is the proof of ${proof.date}`);
      if (!isSigned(proof)) say('was changed: its signature does not fit');
      const signer = fingerprint(proof.publicKey);
      const known = trusted ?? new Set(proofs.slice(0, 1).map(({ publicKey }) => fingerprint(publicKey)));
      if (!known.has(signer)) say(`is signed by another key, ${signer}`);
      const follows = proof.previous;
      if (follows === null && before !== undefined) say(`follows no proof, and ${before.key} is before it`);
      if (follows !== null) {
        const named = proofKey(follows.date);
        if (named !== before?.key)
          say(`follows ${named}, which is not before it: a proof is missing or moved`);
        else if (sha256(before.text) !== follows.sha256) say(`follows another ${named} than this one`);
      }
    }
    before = { key, text, date: proof?.date };
  }
  return { proofs, wrong };
}

/** The files that a day's manifest names. */
function checkRows({ page, rows }: Evidence): Findings {
  const found: Findings = { wrong: [], missing: [] };
  const sealed = sealedIn(page.text);
  const place = pageInKey(page.key);
  if (sealed === undefined || place === undefined) {
    found.wrong.push({ object: page.key, what: 'is not a page' });
    return found;
  }
  if (isMerchantDay(place) && sealed.files.length === 0)
    found.wrong.push({ object: page.key, what: 'names no files of rows' });
  const given = new Map(rows.map(({ key, content }) => [key, content]));
  for (const { key, sha256: digest } of sealed.files) {
    const content = given.get(key);
    given.delete(key);
    if (content === undefined || content === null) {
      found.missing.push({ object: key, what: 'is gone, or may not be read: its rows cannot be checked' });
    } else if (sha256(Buffer.from(content, 'base64')) !== digest) {
      found.wrong.push({ object: key, what: `is not the file that ${page.key} was sealed with` });
    }
  }
  for (const key of given.keys())
    found.wrong.push({ object: key, what: `is not a file that ${page.key} names` });
  return found;
}
