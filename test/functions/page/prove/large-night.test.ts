import { manifestKey } from '#records/storage/keys.ts';
import { BuiltRun } from '#support/crash/built-run.ts';
import { ALIAS } from '#support/proofs/running-prove.ts';
import { BUCKET, CODE, DAY, shareWorld } from '#support/world/daybook-world.ts';

const MERCHANTS = 10_000;
/** As Lambda starts Node for a function of 256 MB. */
const SMALL = ['--max-semi-space-size=12', '--max-old-space-size=230'];
const world = shareWorld();

it('proves the night of 10,000 merchants within 30 seconds of a processor and 256 MB', async () => {
  world.aws.keys.put(ALIAS);
  world.payments.data.seedDay(CODE, DAY, { invoices: 40, refunds: 4 });
  await world.report({ send: false });
  const page = await world.text(manifestKey(DAY, CODE, 1));
  for (let code = 1; code < MERCHANTS; code += 1) {
    const merchantCode = String(800_000 + code);
    const text = page.replaceAll(CODE, merchantCode);
    await world.aws.s3.write(BUCKET, manifestKey(DAY, merchantCode, 1), text);
  }
  const { environment, clock } = world;
  const night = { functionName: 'prove', event: {}, environment, ahead: clock.ahead } as const;
  const began = performance.now();
  const outcome = { megabytes: NaN, seconds: NaN, ...(await new BuiltRun(night, SMALL).outcome) };
  const wall = (performance.now() - began) / 1_000;
  const { megabytes, seconds } = outcome;
  process.stdout.write(
    `${MERCHANTS} pages of ${page.length} bytes: ${seconds.toFixed(1)} s of a processor in ${wall.toFixed(1)} s, ${megabytes.toFixed(0)} MB\n`,
  );
  expect(outcome).toMatchObject({ answer: { pages: MERCHANTS } });
  expect(seconds).toBeLessThan(30);
  expect(megabytes).toBeLessThan(256);
}, 240_000);
