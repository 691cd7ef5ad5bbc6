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
import type { Evidence, Findings } from './evidence.ts';

const AT_ONCE = 16;

/** The proof that has a page first, and where. */
interface Found {
  date: string;
  lines: string[];
  index: number;
}

/** Reads what shows when a page existed. It changes nothing. */
export class Gathering {
  readonly findings: Findings = { wrong: [], missing: [] };
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
    const proofs = await this.#chain();
    const number =
      revision ??
      (await new SealedPages(this.#s3, this.#bucket).newestRevisions(pagePrefix(page))).get(
        ownerPart(page.owner),
      );
    // Of a page that is gone, proofs still say that it was there.
    const prefix = number === undefined ? pagePrefix(page) : pageKey({ ...page, revision: number });
    const key = number === undefined ? undefined : prefix;
    const [text, found] = await Promise.all([
      key === undefined ? undefined : this.#proofs.text(key),
      this.#firstProof(page, proofs, prefix),
    ]);
    if (key === undefined || text === undefined) {
      this.#missing(prefix, found === undefined ? 'is not sealed' : this.#gone(found));
      return undefined;
    }
    if (found === undefined) {
      const next = proofs.length === 0 ? 'The stage has no proofs' : 'The next proof has it';
      this.#missing(key, `is in no proof yet. ${next} (docs/proofs.md)`);
      return undefined;
    }
    const { date, lines, index } = found;
    const files = sealedIn(text)?.files ?? [];
    return {
      format: 'daybook-evidence-1',
      page: { key, text },
      rows: await pLimit(AT_ONCE).map(files, async (file) => ({
        key: file.key,
        content: await this.#content(file.key),
      })),
      path: { date, index, hashes: merklePath(lines, index) },
      proofs,
    };
  }

  #gone({ date, lines, index }: Found): string {
    const { sha256 = '' } = pageInLine(lines[index] ?? '') ?? {};
    return `is gone: it was forgotten, or its time was over. It existed when the proof of ${date} was signed, with the SHA-256 ${sha256}`;
  }

  async #chain(): Promise<Evidence['proofs']> {
    const dates = await this.#proofs.dates();
    return pLimit(AT_ONCE).map(dates, async (date) => ({
      key: proofKey(date),
      text: (await this.#proofs.text(proofKey(date))) ?? '',
    }));
  }

  /**
   * From the page's first day on: no page is sealed before. A page that was replaced later is held against the first proof,
   * and is then not the one that was proven.
   */
  async #firstProof(page: PageId, chain: Evidence['proofs'], prefix: string): Promise<Found | undefined> {
    const [first = ''] = possibleDays(page.period);
    // In the zone farthest east it begins a day earlier.
    const from = proofKey(addDays(first, -1));
    for (const { key, text } of chain) {
      const proof = key < from ? undefined : readProof(text);
      if (proof === undefined) continue;
      const lines = await this.#proofs.pageLines(proof.root);
      const list = provenPagesKey(proof.root);
      if (lines === undefined) this.#missing(list, `is gone: which pages the proof of ${proof.date} has`);
      else if (merkleRoot(lines) !== proof.root)
        this.findings.wrong.push({ object: list, what: `is not the list that ${key} was signed for` });
      const index = lines?.findIndex((line) => pageInLine(line)?.key.startsWith(prefix)) ?? -1;
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

  #missing(object: string, what: string): void {
    this.findings.missing.push({ object, what });
  }
}
