import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import * as z from 'zod';
import { jsonTargetService, validated } from './json-target.ts';
import type { StoredObject } from './s3/files/object-files.ts';
import type { Service } from './service.ts';

const text = z.string().min(1).max(262_144);
const entry = z.object({ Source: text, DetailType: text, Detail: text });
const putSchema = z.object({ Entries: z.array(entry).min(1).max(10) });

/** The default bus of EventBridge. */
export class EventBus {
  /** What was put on it, also in the file, a line each. */
  readonly events: { source: string; detailType: string; detail: unknown }[] = [];
  /** So many of the next events are refused, each alone. */
  refusals = 0;
  /** Gets S3's event of each object that is written from now on. Left out: the bucket tells nobody. */
  onObject: ((event: object, key: string) => void) | undefined;
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** @returns the entry of the answer */
  put({ Source: source, DetailType: detailType, Detail }: z.infer<typeof entry>): object {
    if (this.refusals > 0) {
      this.refusals -= 1;
      return { ErrorCode: 'ThrottlingException', ErrorMessage: 'Rate exceeded' };
    }
    const event = { source, detailType, detail: z.unknown().parse(JSON.parse(Detail)) };
    this.events.push(event);
    appendFileSync(this.#file, `${JSON.stringify(event)}\n`);
    return { EventId: randomUUID() };
  }

  tellOf(bucket: string, { key, size, modified, attributes }: StoredObject): void {
    const { etag, versionId } = attributes;
    const object = { key, size, etag, ...(versionId !== undefined && { 'version-id': versionId }) };
    const detail = { bucket: { name: bucket }, object };
    const time = modified.toISOString().replace(/\.\d+Z$/, 'Z');
    this.onObject?.({ 'detail-type': 'Object Created', source: 'aws.s3', time, detail }, key);
  }
}

/** EventBridge's `PutEvents` on the default bus. */
export function eventBridgeService(bus: EventBus): Service {
  return jsonTargetService({
    name: 'eventBridge',
    version: '1.1',
    target: 'AWSEvents',
    operations: {
      PutEvents: (input) => {
        const Entries = validated(putSchema, input).Entries.map((event) => bus.put(event));
        return { FailedEntryCount: Entries.filter((answer) => 'ErrorCode' in answer).length, Entries };
      },
    },
  });
}
