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
export interface EventBus {
  /** What was put on it. */
  events: { source: string; detailType: string; detail: unknown }[];
  /** So many of the next events are refused, each alone. */
  refusals: number;
  /** Gets S3's event of each object that is written from now on. Left out: the bucket tells nobody. */
  onObject?: (event: object, key: string) => void;
}

/** S3's event of an object that was written. */
export function objectCreated(bucket: string, { key, size, modified, attributes }: StoredObject): object {
  const { etag, versionId } = attributes;
  const object = { key, size, etag, ...(versionId !== undefined && { 'version-id': versionId }) };
  const time = modified.toISOString().replace(/\.\d+Z$/, 'Z');
  return {
    'detail-type': 'Object Created',
    source: 'aws.s3',
    time,
    detail: { bucket: { name: bucket }, object },
  };
}

/** EventBridge's `PutEvents` on the default bus. @param file gets a line for each event */
export function eventBridgeService(bus: EventBus, file: string): Service {
  function put({ Source: source, DetailType: detailType, Detail }: z.infer<typeof entry>) {
    if (bus.refusals-- > 0) return { ErrorCode: 'ThrottlingException', ErrorMessage: 'Rate exceeded' };
    const event = { source, detailType, detail: z.unknown().parse(JSON.parse(Detail)) };
    bus.events.push(event);
    appendFileSync(file, `${JSON.stringify(event)}\n`);
    return { EventId: randomUUID() };
  }
  return jsonTargetService({
    name: 'eventBridge',
    version: '1.1',
    target: 'AWSEvents',
    operations: {
      PutEvents: (input) => {
        const Entries = validated(putSchema, input).Entries.map(put);
        return { FailedEntryCount: Entries.filter((answer) => 'ErrorCode' in answer).length, Entries };
      },
    },
  });
}
