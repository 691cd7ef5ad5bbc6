import { createServer, type ServerResponse } from 'node:http';
import { type Served, ORDINARY, SHAPES, type Asked, type Shape } from '#support/hostile-shapes/shapes.ts';
import { portOf } from '#sandbox/ports.ts';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import * as z from 'zod';
import { newDirectory } from '#support/machine.ts';

/** The name under which the ordinary page is served. */
const ORDINARY_PAGE = 'an ordinary page';

function shapeOf(name: string): Shape {
  const shape = name === ORDINARY_PAGE ? ORDINARY : SHAPES[name];
  if (shape === undefined) throw new Error(`there is no shape ${name}`);
  return shape;
}

function send(response: ServerResponse, { body, headers = {}, chunk }: Served): void {
  response.on('error', () => undefined);
  if (chunk === undefined) {
    response.writeHead(200, { ...headers, 'content-length': body.length }).end(body);
    return;
  }
  response.writeHead(200, headers);
  response.flushHeaders();
  // Written as bytes at once: one write for each chunk would cost the service more than the reader.
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length; at += chunk) {
    const piece = body.subarray(at, at + chunk);
    chunks.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
  }
  chunks.push(Buffer.from('0\r\n\r\n'));
  response.socket?.end(Buffer.concat(chunks));
}

/** A payment service on loopback. The path of a request selects the shape and size of the answer. */
async function startHostileService() {
  const made = new Map<string, Served>();
  const server = createServer({ keepAlive: true }, (request, response) => {
    const url = new URL(request.url ?? '', 'http://service');
    const [, name = '', bytes = '', ...path] = url.pathname.split('/').map(decodeURIComponent);
    const page = Number(url.searchParams.get('page') ?? '1');
    const isList = path.at(-1) === '';
    const resource = path.includes('refund') ? (isList ? 'refunds' : 'refund') : 'invoices';
    const asked: Asked = { resource, page };
    const key = JSON.stringify([name, bytes, asked]);
    const served = made.get(key) ?? shapeOf(name)(Number(bytes), asked);
    made.set(key, served);
    send(response, served);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${portOf(server)}`;
  return {
    address: (name: string, bytes: number) => `${origin}/${encodeURIComponent(name)}/${bytes}`,
    /** Forgets the answers made so far. */
    forget: () => made.clear(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const MEBIBYTE = 1024 * 1024;
const SIZES = [MEBIBYTE / 2, MEBIBYTE, 2 * MEBIBYTE];
/** The greatest allowed cost, as a multiple of an ordinary page of the same size. */
const MOST = 4;
/** The greatest allowed growth from the smallest size to the largest. Linear cost grows 4 times, quadratic 16 times. */
const MOST_GROWTH = 8;
/** Below this, noise is larger than the growth. Milliseconds of processor time. */
const SHORT = 100;
/** A pull must do with this heap, a third of the function's memory. Megabytes. */
const HEAP = 160;
/** What a pull may take beyond the memory of the warm-up, its heap included. Megabytes. */
const MOST_MEMORY = 2 * HEAP;
/** How often a shape is measured before it counts as too dear: the machine may have been busy with something else. */
const TRIES = 4;
/** A pull that takes longer counts as endless. Milliseconds. */
const LONGEST = 60_000;

const outcomeSchema = z.object({
  /** Of each size: milliseconds of processor time, and rows or the name of the error. */
  sizes: z.array(z.object({ cpu: z.number(), outcome: z.string() })),
  /** Megabytes. */
  memory: z.number(),
});
type Outcome = z.infer<typeof outcomeSchema>;

let service: Awaited<ReturnType<typeof startHostileService>>;
const worker = join(newDirectory(), 'pull.worker.mjs');
let ordinary: Outcome;

/** Pulls each size of a shape in a process of its own. */
async function pulled(name: string): Promise<Outcome> {
  const addresses = SIZES.map((bytes) => service.address(name, bytes));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [`--max-old-space-size=${HEAP}`, worker, service.address(ORDINARY_PAGE, MEBIBYTE / 4), ...addresses],
    { timeout: LONGEST },
  );
  return outcomeSchema.parse(JSON.parse(stdout));
}

/** Of all sizes together. Milliseconds of processor time. */
function time({ sizes }: Outcome): number {
  return sizes.reduce((sum, { cpu }) => sum + cpu, 0);
}

/** What of an outcome is too high. An ordinary page is the measure. */
function excesses(outcome: Outcome, ordinary: Outcome): string[] {
  const found: string[] = [];
  const ratio = time(outcome) / time(ordinary);
  if (ratio > MOST) found.push(`${ratio.toFixed(1)} times the time of an ordinary page`);
  const smallest = outcome.sizes.at(0)?.cpu ?? 0;
  const largest = outcome.sizes.at(-1)?.cpu ?? Infinity;
  if (largest > SHORT && largest / smallest > MOST_GROWTH)
    found.push(`${(largest / smallest).toFixed(1)} times the time for four times the bytes`);
  if (outcome.memory > MOST_MEMORY) found.push(`${outcome.memory.toFixed(0)} MB`);
  return found;
}

function print(name: string, { sizes, memory }: Outcome): void {
  const times = sizes.map(({ cpu }) => cpu.toFixed(0)).join(' ');
  process.stdout.write(`${name}: ${times} ms, ${memory.toFixed(0)} MB, ${String(sizes.at(-1)?.outcome)}\n`);
}

beforeAll(async () => {
  await build({
    entryPoints: [fileURLToPath(new URL('../support/hostile-shapes/pull.worker.ts', import.meta.url))],
    outfile: worker,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  service = await startHostileService();
  ordinary = await pulled(ORDINARY_PAGE);
});

afterAll(() => {
  service.close();
});

describe('a hostile page costs at most four times an ordinary page of the same size, and its cost grows with its bytes:', () => {
  it.each(Object.keys(SHAPES))('%s', { timeout: 2 * TRIES * LONGEST }, async (name) => {
    let found: string[] = [];
    for (let tries = 0; tries < TRIES; tries += 1) {
      // Whatever slows the machine down now slows an ordinary page down too.
      if (tries > 0) ordinary = await pulled(ORDINARY_PAGE);
      const outcome = await pulled(name);
      service.forget();
      if (process.env['HOSTILE_SHAPES_VERBOSE'] === 'true') print(name, outcome);
      found = excesses(outcome, ordinary);
      if (found.length === 0) return;
    }
    expect(found).toEqual([]);
  });
});
