import { Writable } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import { XMLParser } from 'fast-xml-parser';
import type * as z from 'zod';
import { receiveBody } from '../body.ts';
import { s3Errors } from '../errors.ts';

const namedReferences: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const parser = new XMLParser({
  ignoreAttributes: true,
  ignoreDeclaration: true,
  parseTagValue: false,
  trimValues: false,
  // The parser does not decode numeric references, but the SDK uses them for control characters in keys.
  processEntities: false,
  tagValueProcessor: (_name, value) => decodeReferences(value),
  isArray: (name) => name === 'Part' || name === 'Object',
});

/**
 * Reads and checks a document in a request's body.
 * @throws ServiceError MalformedXML if it does not fit the schema, and as `receiveBody` does
 */
export async function receiveXml<T>(message: IncomingMessage, schema: z.ZodType<T>): Promise<T> {
  const chunks: Buffer[] = [];
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
  });
  await receiveBody(message, sink);
  const result = schema.safeParse(parse(Buffer.concat(chunks)));
  if (!result.success) throw s3Errors.malformedXml();
  return result.data;
}

function parse(body: Buffer): unknown {
  try {
    return parser.parse(body.toString('utf8'));
  } catch {
    throw s3Errors.malformedXml();
  }
}

function decodeReferences(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return namedReferences[name] ?? whole;
      return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
    },
  );
}
