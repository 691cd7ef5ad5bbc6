import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import * as z from 'zod';
import { documentOf, type CommandRun } from '../command/run-command.ts';

const answerSchema = z.object({
  checks: z.array(
    z.object({
      check: z.string(),
      findings: z.array(z.object({ verdict: z.string(), found: z.string(), mend: z.string().optional() })),
    }),
  ),
});

/** What a check of `daybook doctor --json` has found, each as `verdict: found → mend`. */
export function findingsIn(ran: CommandRun, name: string): string[] {
  const { checks } = answerSchema.parse(documentOf(ran));
  const { findings } = checks.find(({ check }) => check === name) ?? { findings: [] };
  return findings.map(
    ({ verdict, found, mend }) => `${verdict}: ${found}${mend === undefined ? '' : ` → ${mend}`}`,
  );
}

const HEADER = 12;
const TXT = 16;
const IN = 1;
const NAME_ERROR = 3;
const SERVER_FAILURE = 2;
/** A pointer to the name of the question. */
const SAME_NAME = 0xc0_0c;
const MOST_IN_A_PART = 255;

/** A name server for the tests of a file. For the top of a test file. */
export async function startLoopbackDns() {
  const socket = createSocket('udp4');
  afterAll(async () => {
    socket.close();
    await once(socket, 'close');
  });
  const dns = {
    /** Such as `127.0.0.1:40123`. */
    address: '',
    /** The texts by name. A name without texts does not exist. */
    records: new Map<string, readonly string[]>(),
    failing: false,
  };
  socket.on('message', (query, { address, port }) => {
    const texts = dns.records.get(nameIn(query)) ?? [];
    socket.send(dns.failing ? answer(query, [], SERVER_FAILURE) : answer(query, texts), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  dns.address = `127.0.0.1:${socket.address().port}`;
  return dns;
}

function nameIn(query: Buffer): string {
  const labels: string[] = [];
  for (let at = HEADER; ;) {
    const length = query.readUInt8(at);
    if (length === 0) return labels.join('.').toLowerCase();
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
}

function answer(
  query: Buffer,
  texts: readonly string[],
  failure = texts.length === 0 ? NAME_ERROR : 0,
): Buffer {
  const questionEnd = query.indexOf(0, HEADER) + 5;
  const question = Buffer.from(query.subarray(0, questionEnd));
  // A response, recursion available.
  question.writeUInt16BE(0x81_80 | failure, 2);
  question.writeUInt16BE(texts.length, 6);
  question.writeUInt32BE(0, 8);
  return Buffer.concat([question, ...texts.map(record)]);
}

function record(text: string): Buffer {
  const parts = [];
  for (let at = 0; at < text.length; at += MOST_IN_A_PART) {
    const part = Buffer.from(text.slice(at, at + MOST_IN_A_PART), 'latin1');
    parts.push(Buffer.from([part.length]), part);
  }
  const data = Buffer.concat(parts);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(SAME_NAME, 0);
  head.writeUInt16BE(TXT, 2);
  head.writeUInt16BE(IN, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
