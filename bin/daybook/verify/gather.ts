import { GetObjectCommand, NoSuchKey } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import { merkleTree, readProof } from '#page/prove/proof.ts';
import { ProofStore } from '#page/prove/proof-store.ts';
import { SealedPages } from '#page/page-store.ts';
import { addDays } from '#records/day/business-day.ts';
import { StorageError, storageError } from '#records/errors/storage-error.ts';
import { possibleDays } from '#records/period/period.ts';
import { ownerPart, pageKey, pagePrefix, proofKey, provenPagesKey } from '#records/storage/keys.ts';
import type { PageId } from '#records/storage/keys.ts';
import { sealedIn } from './evidence.ts';
import type { Evidence, Finding } from './evidence.ts';

const AT_ONCE = 16;
/** Of a SHA-256. */
const DIGITS = 64;

/** What shows when a page existed. Without it, the findings say why there is none. */
export interface Gathered {
  evidence?: Evidence;
  findings: Finding[];
}

/** Reads what shows when a page existed. It changes nothing. @param revision left out: the newest */
export async function gatherEvidence(
  s3: S3Client,
  bucket: string,
  page: PageId,
  revision?: number,
): Promise<Gathered> {
  const store = new ProofStore(s3, bucket);
  const newest = await new SealedPages(s3, bucket).newestRevisions(pagePrefix(page));
  const number = revision ?? newest.get(ownerPart(page.owner));
  // Of a page that is gone, proofs still say that it was there.
  const key = number === undefined ? pagePrefix(page) : pageKey({ ...page, revision: number });
  const proofs = await pLimit(AT_ONCE).map(await store.dates(), async (date) => ({
    key: proofKey(date),
    text: (await store.text(proofKey(date))) ?? '',
  }));
  const findings: Finding[] = [];
  const place = await placeOf(store, page, proofs, key, findings);
  const text = number === undefined ? undefined : await store.text(key);
  if (text === undefined || place === undefined) {
    const whyUnproven = `is in no proof yet. ${proofs.length > 0 ? 'The next proof has it' : 'The stage has no proofs'} (docs/proofs.md)`;
    const what = text === undefined ? whyGone(place) : whyUnproven;
    return { findings: [...findings, { kind: 'missing', object: key, what }] };
  }
  const rows = await pLimit(AT_ONCE).map(sealedIn(text).files, async (file) => ({
    key: file.key,
    content: await contentOf(s3, bucket, file.key),
  }));
  const { path } = place;
  return { evidence: { format: 'daybook-evidence-1', page: { key, text }, rows, path, proofs }, findings };
}

/** Where a page is in which proof, and its SHA-256 there. */
interface Place {
  path: Evidence['path'];
  digest: string;
}

/**
 * In the first proof that has it, from the page's first day on: no page is sealed before. So one that was replaced later
 * is held against what was proven first.
 */
async function placeOf(
  store: ProofStore,
  page: PageId,
  proofs: Evidence['proofs'],
  key: string,
  findings: Finding[],
): Promise<Place | undefined> {
  const [first = ''] = possibleDays(page.period);
  // In the zone farthest east it begins a day earlier.
  const from = proofKey(addDays(first, -1));
  for (const { key: of, text } of proofs) {
    const proof = of < from ? undefined : readProof(text);
    if (proof === undefined) continue;
    const { date, root } = proof;
    const lines = await store.pageLines(root);
    const object = provenPagesKey(root);
    if (lines === undefined) {
      findings.push({ kind: 'missing', object, what: `is gone: which pages ${of} has` });
      continue;
    }
    const index = lines.findIndex((line) => line.startsWith(`  ${key}`, DIGITS));
    const tree = merkleTree(lines, index);
    if (tree.root !== root)
      findings.push({ kind: 'wrong', object, what: `is not the list that ${of} was signed for` });
    const digest = lines[index]?.slice(0, DIGITS);
    if (digest !== undefined) return { path: { date, index, hashes: tree.path }, digest };
  }
  return undefined;
}

/** In base64; `null` when it is gone, or may not be read. */
async function contentOf(s3: S3Client, bucket: string, key: string): Promise<string | null> {
  try {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    return (await Body?.transformToString('base64')) ?? null;
  } catch (error) {
    const failure = error instanceof StorageError ? error : storageError('GetObject', key, error);
    if (error instanceof NoSuchKey || failure.isRefusedObject) return null;
    throw failure;
  }
}

function whyGone(place: Place | undefined): string {
  if (place === undefined) return 'is not sealed';
  const { path, digest } = place;
  return `is gone: it was forgotten, or its time was over. It existed when the proof of ${path.date} was signed, with the SHA-256 ${digest}`;
}
