import { createHash } from 'node:crypto';
import { BUCKET, CODE, DAY, DaybookWorld, type WorldOptions } from '#support/world/daybook-world.ts';
import { defined } from '#support/assertions/index.ts';

/** The digest of a day, which is the same in each world, and the SHA-256 of each of its files as it is stored. */
async function sealedIn(options: WorldOptions = {}, arrange?: (world: DaybookWorld) => void) {
  const world = await DaybookWorld.ofTest({ perPage: 5, ...options });
  world.payments.data.seedDay(CODE, DAY, { invoices: 150, refunds: 25 });
  arrange?.(world);
  await world.report();
  const { digest, files } = await world.manifest(1);
  const hashes: Record<string, string> = {};
  for (const { table, format, key } of files) {
    const bytes = defined(await world.aws.s3.read(BUCKET, key));
    hashes[`${table} ${format}`] = createHash('sha256').update(bytes).digest('hex');
  }
  return { digest, files: hashes };
}

/** Waits that bring every answer out of order. The same seed gives the same waits. */
function scrambled(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state % 12;
  };
}

describe('the same state of the service gives the same bytes and the same digest', () => {
  let plain: Awaited<ReturnType<typeof sealedIn>> | undefined;

  const written = (body: (json: string) => string) => (world: DaybookWorld) =>
    world.serviceDoes({ kind: 'replace', body }, { operation: 'invoices', times: Infinity });

  const overtaking = { behaviour: { latencyMilliseconds: scrambled(11) }, defaults: { maxConcurrency: 2 } };
  const otherPadding = { behaviour: { invoiceAnswers: 'encrypted', padBlock: 16 } } as const;
  const fail = ({ payments }: DaybookWorld) => {
    const { faults } = payments.behaviour;
    faults.add({ operation: 'invoices', page: 2, action: { kind: 'reset' } });
    faults.add({ operation: 'invoices', page: 3, action: { kind: 'half-body' } });
    faults.add({ operation: 'refund', skip: 3, times: 3, action: { kind: 'server-error', status: 200 } });
    faults.add({ operation: 'refunds', page: 2, action: { kind: 'status', status: 429, retryAfter: 1 } });
  };

  it.each<[string, WorldOptions, ((world: DaybookWorld) => void)?]>([
    ['one request at a time', { defaults: { maxConcurrency: 1 } }],
    ['64 requests at a time', { defaults: { maxConcurrency: 64 } }],
    ['answers that overtake each other', { behaviour: { latencyMilliseconds: scrambled(7) } }],
    ['answers that overtake each other, two at a time', overtaking],
    ['encrypted answers', { behaviour: { invoiceAnswers: 'encrypted' } }],
    ['encrypted answers with the other padding', otherPadding],
    ['counts as numbers', { behaviour: { counts: 'numbers' } }],
    ['tokens that expire during the pull', { behaviour: { tokenDiesEvery: 7 } }],
    ['pages of another size', { perPage: 37 }],
    ['one page for each type', { perPage: 200 }],
    ['refunds from a watch list', { defaults: { refunds: { source: 'both', statuses: {} } } }],
    ['blanks between values', {}, written((json) => JSON.stringify(JSON.parse(json), null, 1))],
    ['escaped slashes', {}, written((json) => json.replaceAll('/', String.raw`\/`))],
    ['escapes for letters that are not ASCII', {}, written((json) => json.replaceAll(/[^ -~]/g, escaped))],
    ['members in another order', {}, written(reordered)],
    ['failures', {}, fail],
  ])('read with %s', async (_name, options, arrange) => {
    plain ??= await sealedIn();
    expect(Object.keys(plain.files)).toHaveLength(4);
    expect(await sealedIn(options, arrange)).toEqual(plain);
  });
});

/** One UTF-16 unit as JSON can write it. */
function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The same JSON with the members of every object in reverse order. */
function reordered(json: string): string {
  return JSON.stringify(
    JSON.parse(json, (_name, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).toReversed())
        : value,
    ),
  );
}
