import * as z from 'zod';
import { hashSchema, isSigned, pageLine, readProof, rootByPath, sha256 } from '#proofs/proof.ts';
import type { Proof } from '#proofs/proof.ts';
import { isMerchantDay, pageInKey, proofKey } from '#records/storage/keys.ts';
import { jsonOrNothing } from '../files.ts';

/** Everything that shows that a page existed on a night. `verify --save` writes it, and reading it needs no AWS. */
const evidenceSchema = z.strictObject({
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

/** `wrong`: the object is not the one that was signed for. `missing`: it cannot be checked. */
export interface Finding {
  kind: 'wrong' | 'missing';
  object: string;
  what: string;
}

const sealedSchema = z.object({
  digest: z.string().default(''),
  files: z.array(z.object({ key: z.string(), sha256: hashSchema, rows: z.int() })).default([]),
});

/** What a page says of itself: its digest, and of a day the files of its rows. */
export function sealedIn(text: string): z.infer<typeof sealedSchema> | undefined {
  return sealedSchema.safeParse(jsonOrNothing(text)).data;
}

export function evidenceText(evidence: Evidence): string {
  return `${JSON.stringify(evidence)}\n`;
}

/** `undefined` when the text is not byte for byte as {@link evidenceText} writes it. */
export function readEvidence(text: string): Evidence | undefined {
  const evidence = evidenceSchema.safeParse(jsonOrNothing(text)).data;
  return evidence !== undefined && evidenceText(evidence) === text ? evidence : undefined;
}

/** Of a public key in DER, base64: what people compare. */
export function fingerprint(publicKey: string): string {
  return sha256(Buffer.from(publicKey, 'base64'));
}

/** Of the keys that signed, each once. */
export function signersOf({ proofs }: Evidence): string[] {
  const keys = proofs.flatMap(({ text }) => readProof(text)?.publicKey ?? []);
  return [...new Set(keys.map(fingerprint))];
}

/** @param trusted fingerprints of the only keys that may have signed; left out: that of the first proof */
export function checkEvidence(
  evidence: Evidence,
  trusted: readonly string[] = signersOf(evidence).slice(0, 1),
): Finding[] {
  return [...checkProofs(evidence, trusted), ...checkPlace(evidence), ...checkRows(evidence)];
}

function wrong(object: string, what: string): Finding {
  return { kind: 'wrong', object, what };
}

/** Whether each proof is as it was signed, and follows the one before it. */
function checkProofs({ proofs }: Evidence, trusted: readonly string[]): Finding[] {
  return proofs.flatMap(({ key, text }, index): Finding[] => {
    const proof = readProof(text);
    if (proof === undefined) return [wrong(key, 'is not a proof, or was changed')];
    const signer = fingerprint(proof.publicKey);
    return [
      ...(proofKey(proof.date) === key ? [] : [wrong(key, `is the proof of ${proof.date}`)]),
      ...(isSigned(proof) ? [] : [wrong(key, 'was changed: its signature does not fit')]),
      ...(trusted.includes(signer) ? [] : [wrong(key, `is signed by another key, ${signer}`)]),
      ...checkPrevious(key, proof, proofs[index - 1]),
    ];
  });
}

function checkPrevious(
  key: string,
  { previous }: Proof,
  before: Evidence['proofs'][number] | undefined,
): Finding[] {
  const named = previous === null ? undefined : proofKey(previous.date);
  if (named !== before?.key) {
    const [follows = 'no proof', is = 'none'] = [named, before?.key];
    return [wrong(key, `follows ${follows}, and ${is} is before it: a proof is missing or was moved`)];
  }
  const isSame = before === undefined || sha256(before.text) === previous?.sha256;
  return isSame ? [] : [wrong(key, `follows another ${before.key} than this one`)];
}

/** Whether the path leads from the page to the root of its proof. */
function checkPlace({ page, path, proofs }: Evidence): Finding[] {
  const key = proofKey(path.date);
  const text = proofs.find((one) => one.key === key)?.text;
  if (text === undefined) return [wrong(key, 'has the page, and is not here')];
  const proof = readProof(text);
  if (proof === undefined) return [];
  const leaf = pageLine({ key: page.key, sha256: sha256(page.text) });
  const root = rootByPath(leaf, { index: path.index, size: proof.pages, path: path.hashes });
  if (root === proof.root) return [];
  return [
    wrong(page.key, `is not the page that the proof of ${path.date} has, or its path there was changed`),
  ];
}

/** Whether the rows are the files that a day's manifest names. */
function checkRows({ page, rows }: Evidence): Finding[] {
  const files = sealedIn(page.text)?.files ?? [];
  const place = pageInKey(page.key);
  if (place === undefined || (isMerchantDay(place) && files.length === 0))
    return [wrong(page.key, 'is not a page, or names no files of rows')];
  const given = new Map(rows.map(({ key, content }) => [key, content]));
  const known = new Set(files.map(({ key }) => key));
  return [
    ...files.flatMap(({ key, sha256: digest }): Finding[] => {
      const content = given.get(key) ?? null;
      if (content === null) {
        const what = 'is gone, or may not be read: its rows cannot be checked';
        return [{ kind: 'missing', object: key, what }];
      }
      if (sha256(Buffer.from(content, 'base64')) === digest) return [];
      return [wrong(key, `is not the file that ${page.key} was sealed with`)];
    }),
    ...rows
      .filter(({ key, content }) => !known.has(key) || given.get(key) !== content)
      .map(({ key }) => wrong(key, `is not a file that ${page.key} names`)),
  ];
}
