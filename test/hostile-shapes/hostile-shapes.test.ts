import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ORDINARY_PAGE, startHostileService } from '#support/hostile-shapes/hostile-service.ts';
import { SHAPES } from '#support/hostile-shapes/shapes.ts';
import * as z from 'zod';

const MEBIBYTE = 1024 * 1024;
const SIZES = [MEBIBYTE, 2 * MEBIBYTE, 4 * MEBIBYTE];
/** The greatest allowed cost, as a multiple of an ordinary page of the same size. */
const MOST = 4;
/** The greatest allowed growth for twice the bytes: 2, and room for noise. Quadratic cost would be 4. */
const MOST_GROWTH = 2.6;
/** Below this, noise is larger than the growth. Milliseconds of processor time. */
const SHORT = 100;
/** Memory that comes and goes with the garbage collector. Megabytes. */
const SMALL = 32;
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
let directory = '';
let ordinary: Outcome;

/** Pulls each size of a shape in a process of its own. */
async function pulled(name: string): Promise<Outcome> {
  const addresses = SIZES.map((bytes) => service.address(name, bytes));
  const worker = join(directory, 'pull.worker.mjs');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [worker, service.address(ORDINARY_PAGE, MEBIBYTE / 4), ...addresses],
    { timeout: LONGEST },
  );
  return outcomeSchema.parse(JSON.parse(stdout));
}

function cheaper(a: Outcome, b: Outcome): Outcome {
  const sizes = a.sizes.map((size, index) => {
    const other = b.sizes[index];
    return other !== undefined && other.cpu < size.cpu ? other : size;
  });
  return { sizes, memory: Math.min(a.memory, b.memory) };
}

/** The ratios of an outcome that are too high. */
function excesses({ sizes, memory }: Outcome): string[] {
  const found: string[] = [];
  for (const [index, { cpu }] of sizes.entries()) {
    const ratio = cpu / (ordinary.sizes[index]?.cpu ?? 0);
    if (ratio > MOST) found.push(`size ${index}: ${ratio.toFixed(1)} times the time of an ordinary page`);
    const before = sizes[index - 1]?.cpu ?? Infinity;
    if (cpu > SHORT && cpu / before > MOST_GROWTH)
      found.push(`size ${index}: ${(cpu / before).toFixed(1)} times the time of half of it`);
  }
  const ratio = memory / Math.max(SMALL, ordinary.memory);
  if (ratio > MOST) found.push(`${ratio.toFixed(1)} times the memory of an ordinary page`);
  return found;
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'daybook-hostile-'));
  await build({
    entryPoints: [fileURLToPath(new URL('../support/hostile-shapes/pull.worker.ts', import.meta.url))],
    outfile: join(directory, 'pull.worker.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  service = await startHostileService();
  ordinary = cheaper(await pulled(ORDINARY_PAGE), await pulled(ORDINARY_PAGE));
});

afterAll(async () => {
  service.close();
  await rm(directory, { recursive: true });
});

describe('a hostile page costs at most four times an ordinary page of the same size, and its cost grows with its bytes:', () => {
  it.each(Object.keys(SHAPES))('%s', { timeout: 3 * LONGEST }, async (name) => {
    let outcome = await pulled(name);
    // The machine may have been busy with something else.
    for (let again = 0; again < 2 && excesses(outcome).length > 0; again += 1) {
      outcome = cheaper(outcome, await pulled(name));
    }
    service.forget();
    if (process.env['HOSTILE_SHAPES_VERBOSE'] === 'true') {
      const times = outcome.sizes.map(({ cpu }) => cpu.toFixed(0)).join(' ');
      const memory = outcome.memory.toFixed(0);
      process.stdout.write(`${name}: ${times} ms, ${memory} MB, ${String(outcome.sizes.at(-1)?.outcome)}\n`);
    }
    expect(excesses(outcome)).toEqual([]);
  });
});
