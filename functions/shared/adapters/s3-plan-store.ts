import type { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import type { PlanItem, PlanStore } from '../ports.ts';
import { readUnfinishedItems } from './map-run-results.ts';
import { putObject, readObject } from './s3-objects.ts';

const tickSchema = z.lazy(() => z.object({ tick: z.iso.datetime(), since: z.iso.datetime() }));

function tickKey(kind: 'daily' | 'alert'): string {
  return `plan/${kind}.json`;
}

/** What `plan` keeps in the data bucket, and what the fan-out leaves there: ticks, items, results. */
export class S3PlanStore implements PlanStore {
  readonly #s3: S3Client;
  readonly #bucket: string;

  constructor(s3: S3Client, bucket: string) {
    this.#s3 = s3;
    this.#bucket = bucket;
  }

  async lastTick(kind: 'daily' | 'alert'): Promise<{ tick: string; since: string } | undefined> {
    return (await readObject(this.#s3, this.#bucket, tickKey(kind), tickSchema))?.value;
  }

  async rememberTick(kind: 'daily' | 'alert', window: { tick: string; since: string }): Promise<void> {
    await putObject(this.#s3, this.#bucket, tickKey(kind), window);
  }

  async writeItems(name: string, items: readonly PlanItem[]): Promise<string> {
    const key = `plan/${name}.json`;
    await putObject(this.#s3, this.#bucket, key, items);
    return key;
  }

  unfinishedItems(manifestKey: string): Promise<PlanItem[]> {
    return readUnfinishedItems(this.#s3, this.#bucket, manifestKey);
  }
}
