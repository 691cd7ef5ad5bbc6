import { readdirSync } from 'node:fs';
import { objectEventSchema } from '#watch/announce/create-announce.ts';
import { readAlertCheckEvent } from '#alerts/alert-check/alert-check-run.ts';
import { readDailyReportEvent } from '#page/daily-report/prepare-run.ts';
import { readWatchEvent } from '#watch/delivery-watch/create-delivery-watch.ts';
import { readSesEvent } from '#mail/mail-events/ses-event.ts';
import { WRITTEN, addressHash } from '#records/storage/keys.ts';
import { readPlanEvent } from '#functions/plan/plan-event.ts';
import { readStatementEvent } from '#page/statement/event-and-answer.ts';
import { eventSchema } from '#page/prove/create-prove.ts';
import { readLakeEvent } from '#lake/create-lake.ts';
import { readSweepEvent } from '#watch/sweep/create-sweep.ts';
import { EVENTS, sampleEvents } from '#lib/console-stack.ts';
import {
  FUNCTIONS,
  OPTIONAL_FUNCTIONS,
  type FunctionName,
  type OptionalFunctionName,
} from '#lib/functions.ts';
import { webRequest } from '#mail/link-page.ts';
import { synthesise, propertiesOf } from '#support/stacks/synthesised.ts';
import * as z from 'zod';
import { defined } from '#support/assertions/index.ts';

const READERS: Record<FunctionName | OptionalFunctionName, (event: unknown) => unknown> = {
  announce: (event) => objectEventSchema.parse(event),
  link: webRequest,
  unsubscribe: webRequest,
  plan: readPlanEvent,
  'daily-report': readDailyReportEvent,
  'alert-check': readAlertCheckEvent,
  statement: (event) => readStatementEvent(event),
  'delivery-watch': (event) => readWatchEvent(event, () => Date.parse('2026-11-21T04:00:00Z')),
  'mail-events': (event) => readSesEvent(event, addressHash('daybook@example.com')),
  prove: (event) => eventSchema.parse(event),
  sweep: (event) => readSweepEvent(event, () => Date.parse('2026-11-21T04:00:00Z')),
  lake: (event) => readLakeEvent(event, Date.parse('2026-11-21T04:00:00Z')),
};

const cases = Object.entries(READERS).flatMap(([name, read]) =>
  Object.entries(sampleEvents(name)).map(([event, value]) => ({ name, event, value, read })),
);

// Done outside of the tests, because a synth on a busy machine can take longer than a test may.
const withoutEvents = (await synthesise('dev')).templates;
const besideOthers = (await synthesise('dev', ({ console }) => (console.testEvents = 'existing-registry')))
  .template;

describe('events for the console', () => {
  it('exist for every function', () => {
    const names = Object.keys({ ...FUNCTIONS, ...OPTIONAL_FUNCTIONS });
    expect(readdirSync(EVENTS).toSorted()).toEqual(names.toSorted());
  });

  it.each(cases)('are accepted: $name takes $event', ({ value, read }) => {
    expect(() => read(value)).not.toThrow();
  });

  it('are left out, or added to an existing registry, when the settings say so', () => {
    expect(withoutEvents).not.toHaveProperty('Console');
    besideOthers('Console').resourceCountIs('AWS::EventSchemas::Registry', 0);
    besideOthers('Console').resourceCountIs('AWS::EventSchemas::Schema', Object.keys(FUNCTIONS).length);
  });
});

const bucketSchema = z.looseObject({
  LifecycleConfiguration: z.object({
    Rules: z.array(
      z.object({
        Prefix: z.string().optional(),
        Status: z.string(),
        ExpirationInDays: z.number().optional(),
        NoncurrentVersionExpiration: z.object({ NoncurrentDays: z.number() }).optional(),
      }),
    ),
  }),
});

const { template, settings } = await synthesise('prod', (stage) => {
  stage.proofs = true;
});
const buckets = propertiesOf(template('Data'), 'AWS::S3::Bucket', bucketSchema);
const [, bucket] = defined(
  Object.entries(buckets).find(([id]) => id.startsWith('Bucket')),
  'the bucket of data',
);

/** The number of days after which an object expires, `undefined` when it never expires. */
function lifeOf(key: string): number | undefined {
  return bucket.LifecycleConfiguration.Rules.find(
    ({ Prefix, ExpirationInDays }) =>
      Prefix !== undefined && ExpirationInDays !== undefined && key.startsWith(Prefix),
  )?.ExpirationInDays;
}

/** The number of days for which an old version of an object can be restored, `undefined` when it is kept for ever. S3 takes the shortest. */
function restorableFor(key: string): number | undefined {
  const days = bucket.LifecycleConfiguration.Rules.filter(({ Prefix = '' }) =>
    key.startsWith(Prefix),
  ).flatMap(({ NoncurrentVersionExpiration: versions }) =>
    versions === undefined ? [] : [versions.NoncurrentDays],
  );
  return days.length === 0 ? undefined : Math.min(...days);
}

describe('the bucket of data', () => {
  const { dataDays, manifestDays, ledgerDays } = settings.retention;
  const NEVER = undefined;
  it.each<[key: string, expires: number | undefined, restorable: number]>([
    ['invoices/json/day=2026-11-20/merchant=700001/pull.jsonl.gz', dataDays, 1],
    ['refunds/csv/day=2026-11-20/merchant=700001/pull.csv.gz', dataDays, 1],
    ['lake/invoices_history/data/part.parquet', NEVER, 1],
    ['days/day=2026-11-20/merchant=700001/r0001.json', manifestDays, 30],
    ['checked/day=2026-11-20/merchant=700001.json', manifestDays, 1],
    ['history/merchant=700001.json', manifestDays, 1],
    ['mail/day=2026-11-20/merchant=700001/r0001.json', ledgerDays, 30],
    ['mail/ops/watch/day=2026-11-20.json', ledgerDays, 30],
    ['statements/period=2026-11/merchant=700001/r0001.json', NEVER, 30],
    ['proofs/2026-11-20.json', NEVER, 30],
    [`proofs/pages/${'0'.repeat(64)}.txt`, NEVER, 30],
    ['config/merchants.json', NEVER, 30],
    ['config/last-good/merchants.json', NEVER, 30],
    [`mail-stops/${'0'.repeat(64)}.json`, NEVER, 1],
    ['alerts/merchant=700001/state.json', NEVER, 1],
    ['changes/noted_on=2026-11-21/0300-days-2026-11-20.json', 90, 1],
    ['plan/daily/20261121T030000Z.json', 30, 1],
    ['plan/daily.json', NEVER, 1],
  ])(
    'keeps each kind of object as long as the settings say, and its old versions: %s',
    (key, expires, restorable) => {
      expect([lifeOf(key), restorableFor(key)]).toEqual([expires, restorable]);
    },
  );

  it('drops old versions of everything that is written', () => {
    const keys = Object.values(FUNCTIONS).flatMap(({ objects: { write, upload = [] } }) => [
      ...write,
      ...upload,
    ]);
    expect(keys.length).toBeGreaterThan(10);
    // A stage without links has none of their files.
    const written = WRITTEN.filter((prefix) => prefix !== 'links/');
    for (const key of [...keys, ...written]) expect(restorableFor(key), key).toBeDefined();
  });
});
