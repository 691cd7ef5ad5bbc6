import { GetObjectCommand } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import { merklePath, merkleRoot, pageInLine, readProof } from '#proofs/proof.ts';
import { ProofStore } from '#proofs/proof-store.ts';
import { SealedPages } from '#page/page-store.ts';
import { addDays } from '#records/day/business-day.ts';
import { StorageError, storageError } from '#records/errors/storage-error.ts';
import { possibleDays } from '#records/period/period.ts';
import { ownerPart, pageKey, pagePrefix, proofKey, provenPagesKey } from '#records/storage/keys.ts';
import type { PageId } from '#records/storage/keys.ts';
import { sealedIn } from './evidence.ts';
import type { Evidence, Finding } from './evidence.ts';

const AT_ONCE = 16;

/** The proof that has a page first, and where. */
interface Place {
  date: string;
  lines: string[];
  index: number;
}

/** Reads what shows when a page existed. It changes nothing. */
export class Gathering {
  readonly findings: Finding[] = [];
  readonly #s3: S3Client;
  readonly #bucket: string;
  readonly #proofs: ProofStore;

  constructor(s3: S3Client, bucket: string) {
    this.#s3 = s3;
    this.#bucket = bucket;
    this.#proofs = new ProofStore(s3, bucket);
  }

  /** @param revision left out: the newest @returns `undefined` when `findings` say why there is none */
  async evidence(page: PageId, revision?: number): Promise<Evidence | undefined> {
    const pages = new SealedPages(this.#s3, this.#bucket);
    const newest = await pages.newestRevisions(pagePrefix(page));
    const number = revision ?? newest.get(ownerPart(page.owner));
    // Of a page that is gone, proofs still say that it was there.
    const key = number === undefined ? pagePrefix(page) : pageKey({ ...page, revision: number });
    const dates = await this.#proofs.dates();
    const proofs = await pLimit(AT_ONCE).map(dates, async (date) => ({
      key: proofKey(date),
      text: (await this.#proofs.text(proofKey(date))) ?? '',
    }));
    const place = await this.#placeOf(page, proofs, key);
    const text = number === undefined ? undefined : await this.#proofs.text(key);
    if (text === undefined || place === undefined) {
      this.#say('missing', key, text === undefined ? whyGone(place) : whyUnproven(dates));
      return undefined;
    }
    const files = sealedIn(text)?.files ?? [];
    return {
      format: 'daybook-evidence-1',
      page: { key, text },
      rows: await pLimit(AT_ONCE).map(files, async (file) => ({
        key: file.key,
        content: await this.#content(file.key),
      })),
      path: { date: place.date, index: place.index, hashes: merklePath(place.lines, place.index) },
      proofs,
    };
  }

  /**
   * In the first proof that has it, from the page's first day on: no page is sealed before. So one that was replaced later
   * is held against what was proven first.
   */
  async #placeOf(page: PageId, proofs: Evidence['proofs'], key: string): Promise<Place | undefined> {
    const [first = ''] = possibleDays(page.period);
    // In the zone farthest east it begins a day earlier.
    const from = proofKey(addDays(first, -1));
    for (const { key: of, text } of proofs) {
      const proof = of < from ? undefined : readProof(text);
      if (proof === undefined) continue;
      const lines = await this.#proofs.pageLines(proof.root);
      const list = provenPagesKey(proof.root);
      if (lines === undefined) this.#say('missing', list, `is gone: which pages ${of} has`);
      else if (merkleRoot(lines) !== proof.root)
        this.#say('wrong', list, `is not the list that ${of} was signed for`);
      const index = lines?.findIndex((line) => pageInLine(line)?.key.startsWith(key)) ?? -1;
      if (lines !== undefined && index >= 0) return { date: proof.date, lines, index };
    }
    return undefined;
  }

  /** In base64; `null` when it is gone, or may not be read. */
  async #content(key: string): Promise<string | null> {
    try {
      const { Body } = await this.#s3.send(new GetObjectCommand({ Bucket: this.#bucket, Key: key }));
      return (await Body?.transformToString('base64')) ?? null;
    } catch (error) {
      const failure = error instanceof StorageError ? error : storageError('GetObject', key, error);
      if (failure.status === 404 || failure.isRefusedObject) return null;
      throw failure;
    }
  }

  #say(kind: Finding['kind'], object: string, what: string): void {
    this.findings.push({ kind, object, what });
  }
}

function whyGone(place: Place | undefined): string {
  if (place === undefined) return 'is not sealed';
  const { sha256 = '' } = pageInLine(place.lines[place.index] ?? '') ?? {};
  return `is gone: it was forgotten, or its time was over. It existed when the proof of ${place.date} was signed, with the SHA-256 ${sha256}`;
}

function whyUnproven(dates: readonly string[]): string {
  const next = dates.length === 0 ? 'The stage has no proofs' : 'The next proof has it';
  return `is in no proof yet. ${next} (docs/proofs.md)`;
}
