import { createPublicKey } from 'node:crypto';
import pLimit from 'p-limit';
import * as z from 'zod';
import { base64Schema, hashSchema, isSigned, lineOf, merkleTree } from '#page/prove/proof.ts';
import { pageLine, readLine, readProof, rootByPath, sha256 } from '#page/prove/proof.ts';
import { ProofStore } from '#page/prove/proof-store.ts';
import { SealedPages, unlessSpoilt } from '#page/page-store.ts';
import { addDays } from '#records/day/business-day.ts';
import { periodKind, possibleDays } from '#records/period/period.ts';
import { MERCHANT_CODE, isMerchantDay, ownerPart, pageInKey, pageKey } from '#records/storage/keys.ts';
import { pagePrefix, proofKey, provenPagesKey, type PageId } from '#records/storage/keys.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import { fileText, jsonOrNothing, writeFile } from '../files.ts';
import { assertCode } from '../stage/known-names.ts';
import type { Stage } from '../stage/stage.ts';
import { CommandError, UsageError } from '../terminal/command-errors.ts';
import { counted, shown } from '../terminal/shown-text.ts';

/** Everything that shows that a page existed on a night. `verify --save` writes it, and checking it needs no AWS. */
export const evidenceSchema = z.strictObject({
  format: z.literal('daybook-evidence-1'),
  /** The object's text, byte for byte. */
  page: z.strictObject({ key: z.string(), text: z.string() }),
  /** The files of a day's rows in base64. `null`: they are gone, or may not be read. */
  rows: z.array(z.strictObject({ key: z.string(), content: base64Schema.nullable() })),
  /** Where the page is in which proof. */
  path: z.strictObject({ date: z.string(), index: z.int().min(0), hashes: z.array(hashSchema) }),
  /** All proofs, the oldest first: the texts of the objects. */
  proofs: z.array(z.strictObject({ key: z.string(), text: z.string() })),
});
export type Evidence = z.infer<typeof evidenceSchema>;

/** The object is not the one that was signed for. */
const wrong = (object: string, what: string) => ({ kind: 'wrong' as const, object, what });
/** It cannot be checked. */
const missing = (object: string, what: string) => ({ kind: 'missing' as const, object, what });
type Finding = ReturnType<typeof wrong | typeof missing>;

const fileSchema = z.object({ key: z.string(), sha256: hashSchema, rows: z.int() });
const sealedSchema = z
  .object({ digest: z.string().default(''), files: z.array(fileSchema).default([]) })
  .catch({ digest: '', files: [] });

/** What a page says of itself: its digest, and of a day the files of its rows. */
function sealedIn(text: string) {
  return sealedSchema.parse(jsonOrNothing(text));
}

const AT_ONCE = 16;
/** Of a SHA-256. */
const DIGITS = 64;

/**
 * Reads what shows when a page existed. It changes nothing. Without evidence, the findings say why there is none.
 * @param revision left out: the newest
 */
export async function gatherEvidence(
  stage: Pick<Stage, 's3' | 'bucket'>,
  page: PageId,
  revision?: number,
): Promise<{ evidence?: Evidence; findings: Finding[] }> {
  const [s3, { bucket }] = [stage.s3(), stage];
  const store = new ProofStore(s3, bucket);
  const newest = await new SealedPages(s3, bucket).newestRevisions(pagePrefix(page));
  const number = revision ?? newest.get(ownerPart(page.owner));
  // Of a page that is gone, proofs still say that it was there.
  const key = number === undefined ? pagePrefix(page) : pageKey({ ...page, revision: number });
  const proofs = await pLimit(AT_ONCE).map(await store.dates(), async (date) => ({
    key: proofKey(date),
    text: (await store.text(proofKey(date))) ?? '',
  }));
  const { place, findings } = await placeOf(store, page, proofs, key);
  const text = number === undefined ? undefined : await store.text(key);
  const isMissing = (what: string) => ({ findings: [...findings, missing(key, what)] });
  if (place === undefined) {
    const why = proofs.length > 0 ? 'The next proof has it' : 'The stage has no proofs';
    return isMissing(text === undefined ? 'is not sealed' : `is in no proof yet. ${why} (docs/proofs.md)`);
  }
  const { path, digest } = place;
  if (text === undefined) {
    const existed = `It existed when the proof of ${path.date} was signed, with the SHA-256 ${digest}`;
    return isMissing(`is gone: it was forgotten, or its time was over. ${existed}`);
  }
  const rows = await pLimit(AT_ONCE).map(sealedIn(text).files, async (file) => {
    const parts: Uint8Array[] = [];
    const isThere = await unlessSpoilt(() => store.passOn(file.key, (part) => parts.push(part)));
    return { key: file.key, content: isThere === true ? Buffer.concat(parts).toString('base64') : null };
  });
  return { evidence: { format: 'daybook-evidence-1', page: { key, text }, rows, path, proofs }, findings };
}

/** Where a page is in the first proof that has it, and its SHA-256 there: one that was replaced later is found. */
async function placeOf(store: ProofStore, page: PageId, proofs: Evidence['proofs'], key: string) {
  const findings: Finding[] = [];
  const [first = ''] = possibleDays(page.period);
  // No page is sealed before its first day, which begins a day earlier in the zone farthest east.
  const from = proofKey(addDays(first, -1));
  for (const { key: of, text } of proofs) {
    const proof = of < from ? undefined : readProof(text);
    if (proof === undefined) continue;
    const { date, root } = proof;
    const lines = await store.pageLines(root);
    const object = provenPagesKey(root);
    if (lines === undefined) {
      findings.push(missing(object, `is gone: which pages ${of} has`));
      continue;
    }
    const index = lines.findIndex((line) => line.startsWith(`  ${key}`, DIGITS));
    const tree = merkleTree(lines, index);
    if (tree.root !== root) findings.push(wrong(object, `is not the list that ${of} was signed for`));
    const digest = lines[index]?.slice(0, DIGITS);
    if (digest !== undefined)
      return { place: { path: { date, index, hashes: tree.path }, digest }, findings };
  }
  return { findings };
}

/** Of a public key in DER, base64: what people compare. */
export function fingerprint(publicKey: string): string {
  return sha256(Buffer.from(publicKey, 'base64'));
}

/** Of the keys that signed, each once. */
function signersOf({ proofs }: Evidence): string[] {
  const publicKeys = proofs.flatMap(({ text }) => readProof(text)?.publicKey ?? []);
  return [...new Set(publicKeys.map(fingerprint))];
}

/** @param trusted fingerprints of the only keys that may have signed; left out: that of the first proof */
export function checkEvidence(
  evidence: Evidence,
  trusted: readonly string[] = signersOf(evidence).slice(0, 1),
): Finding[] {
  return [...checkProofs(evidence, trusted), ...checkPlace(evidence), ...checkRows(evidence)];
}

/** Whether each proof is as it was signed, and follows the one before it. */
function* checkProofs({ proofs }: Evidence, trusted: readonly string[]) {
  for (const [index, { key, text }] of proofs.entries()) {
    const proof = readProof(text);
    if (proof === undefined) {
      yield wrong(key, 'is not a proof, or was changed');
      continue;
    }
    const { date, previous, publicKey } = proof;
    if (proofKey(date) !== key) yield wrong(key, `is the proof of ${date}`);
    if (!isSigned(proof)) yield wrong(key, 'was changed: its signature does not fit');
    const signer = fingerprint(publicKey);
    if (!trusted.includes(signer)) yield wrong(key, `is signed by another key, ${signer}`);
    const before = proofs[index - 1];
    const [follows, is] = [previous ? proofKey(previous.date) : 'no proof', before?.key ?? 'none'];
    if (before === undefined ? previous !== null : follows !== is)
      yield wrong(key, `follows ${follows}, and ${is} is before it: a proof is missing or was moved`);
    else if (before !== undefined && sha256(before.text) !== previous?.sha256)
      yield wrong(key, `follows another ${is} than this one`);
  }
}

/** Whether the path leads from the page to the root of its proof. */
function* checkPlace({ page, path, proofs }: Evidence) {
  const { date, index, hashes } = path;
  const text = proofs.find(({ key }) => key === proofKey(date))?.text;
  if (text === undefined) yield wrong(proofKey(date), 'has the page, and is not here');
  const proof = readProof(text ?? '');
  if (proof === undefined) return;
  const leaf = pageLine(page.key, sha256(page.text));
  if (rootByPath(leaf, { index, size: proof.pages, path: hashes }) !== proof.root)
    yield wrong(page.key, `is not the page that the proof of ${date} has, or its path there was changed`);
}

/** Whether the rows are the files that a day's manifest names. */
function* checkRows({ page, rows }: Evidence): Generator<Finding> {
  const { files } = sealedIn(page.text);
  const place = pageInKey(page.key);
  if (place === undefined || (isMerchantDay(place) && files.length === 0))
    yield wrong(page.key, 'is not a page, or names no files of rows');
  const given = new Map(rows.map(({ key, content }) => [key, content]));
  for (const { key, sha256: digest } of files) {
    const content = given.get(key) ?? null;
    if (content === null) yield missing(key, 'is gone, or may not be read: its rows cannot be checked');
    else if (sha256(Buffer.from(content, 'base64')) !== digest)
      yield wrong(key, `is not the file that ${page.key} was sealed with`);
  }
  const known = new Set(files.map(({ key }) => key));
  for (const { key, content } of rows)
    if (!known.has(key) || given.get(key) !== content)
      yield wrong(key, `is not a file that ${page.key} names`);
}

interface VerifyOptions {
  group?: string;
  revision?: number;
  save?: string;
  /** Files with public keys in PEM. */
  key?: readonly string[];
}

const LARGEST_EVIDENCE = 400_000_000;
const LARGEST_KEY = 10_000;
const LONGEST_LINE = 1_000;
/** Digits of a digest, as mails show it. */
const SHORT = 16;

/** The page that is asked for; `undefined` when the first word is a file. */
function askedPage(first: string, second: string | undefined, group: string | undefined): PageId | undefined {
  if (group === undefined && second === undefined) return undefined;
  if (group !== undefined && second !== undefined)
    throw new UsageError('give either a merchant or --group, not both');
  const period = second ?? first;
  const kinds = 'a date (2026-11-20), a month (2026-11) or a week (2026-W47)';
  if (periodKind(period) === undefined) throw new UsageError(`give ${kinds}. Given: "${shown(period, 40)}"`);
  if (group === undefined) assertCode(first);
  else if (!MERCHANT_CODE.test(group))
    throw new UsageError(`"${shown(group, 80)}" cannot be the name of a group`);
  return { owner: group === undefined ? { merchantCode: first } : { group }, period };
}

/** Of a public key in PEM. */
function fingerprintOf(file: string): string {
  const text = fileText(file, LARGEST_KEY);
  if (text === undefined) throw new CommandError(`there is no file ${shown(file)}`);
  try {
    const key = createPublicKey(text).export({ format: 'der', type: 'spki' });
    return fingerprint(key.toString('base64'));
  } catch (error) {
    throw new CommandError(`${shown(file)} has no public key in PEM`, { cause: error });
  }
}

/** @throws {CommandError} when there is no such file, or no evidence in it */
function readFile(file: string, { save, revision }: VerifyOptions) {
  if (save !== undefined || revision !== undefined)
    throw new UsageError('give a day or a period after the code, or leave out --save and --revision');
  const text = fileText(file, LARGEST_EVIDENCE);
  if (text === undefined)
    throw new CommandError(`there is no file ${shown(file)}: give a file, or a merchant's code and a day`);
  const evidence = readLine(evidenceSchema, text);
  const findings: Finding[] = evidence ? [] : [wrong(file, 'is not a file of --save, or was changed')];
  return { evidence, findings };
}

/** What the evidence says, if nothing is wrong. */
function saidOf(evidence: Evidence) {
  const { page, path, proofs } = evidence;
  const { digest, files } = sealedIn(page.text);
  const rows = files.reduce((sum, file) => sum + (file.key.endsWith('.jsonl.gz') ? file.rows : 0), 0);
  const found = { provenOn: path.date, proofs: proofs.length, signedBy: signersOf(evidence) };
  return { page: page.key, digest, rows, ...found };
}

/** Does `daybook verify`. It only reads; with `save` it writes that file. */
export async function verify(
  context: CommandContext,
  first: string | undefined,
  second: string | undefined,
  options: VerifyOptions,
): Promise<ExitStatus> {
  if (first === undefined) throw new UsageError("give a file, or a merchant's code and a day or period");
  const trusted = options.key?.map(fingerprintOf);
  const page = askedPage(first, second, options.group);
  const { evidence, findings } =
    page === undefined
      ? readFile(first, options)
      : await gatherEvidence(await context.stage(), page, options.revision);
  if (evidence !== undefined) {
    if (options.save !== undefined) writeFile(options.save, lineOf(evidence));
    findings.push(...checkEvidence(evidence, trusted));
  }
  const isWrong = findings.some(({ kind }) => kind === 'wrong');
  const isProven = findings.length === 0;
  const verdict = isWrong ? 'wrong' : isProven ? 'proven' : 'unknown';
  const said = evidence && saidOf(evidence);
  const { output } = context;
  output.result({ verdict, ...said, findings }, () => {
    const say = (style: 'green' | 'red' | 'yellow', text: string) => {
      output.line(output.style(style, shown(text, LONGEST_LINE)));
    };
    for (const { kind, object, what } of findings)
      say(kind === 'wrong' ? 'red' : 'yellow', `${object} ${what}.`);
    if (said === undefined || isWrong) return;
    const having = isProven && said.rows > 0 ? `, with these ${counted(said.rows, 'row')},` : '';
    say('green', `${said.page}${having} existed when the proof of ${said.provenOn} was signed.`);
    output.line(`Its digest begins with ${shown(said.digest.slice(0, SHORT))}, as in its mail.`);
    const chain = `The chain has ${counted(said.proofs, 'proof')}`;
    output.line(`${chain}, and none between the first and the last is missing.`);
    const compare = trusted ? '' : '. Compare it with the one that was published, or give that with --key';
    output.line(`Signed by the key ${said.signedBy.join(' and ')}${compare}.`);
  });
  if (isWrong) return 1;
  return isProven ? 0 : 2;
}
