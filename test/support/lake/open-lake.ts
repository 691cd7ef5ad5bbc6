import { addDays } from '#records/day/business-day.ts';
import type { AwsSandbox } from '#sandbox/aws/index.ts';
import { TrinoLake } from '#sandbox/trino/index.ts';
import { defined } from '#support/assertions/defined.ts';
import { synthesise } from '#support/stacks/synthesised.ts';
import { BUCKET } from '#support/world/daybook-world.ts';
import { TODAY, type LakeWorld } from './lake-world.ts';

export interface LakePlace {
  s3Endpoint: string;
  bucket: string;
  /** What `current_date` says, `YYYY-MM-DD`. */
  today: string;
  /** The first day of the tables. Default: the month before `today`. */
  firstDay?: string;
}

/** The lake of the stage `dev` in the Trino of `npm run test:trino`. @throws {Error} when there is none */
export async function openLake({ s3Endpoint, bucket, today, firstDay }: LakePlace): Promise<TrinoLake> {
  const { DAYBOOK_TRINO: url } = process.env;
  if (url === undefined) throw new Error('these tests need a Trino: npm run test:trino');
  const stage = await synthesise('dev', (settings) => {
    settings.lake.firstDay = firstDay ?? addDays(today, -30);
  });
  return TrinoLake.open({ url, s3Endpoint, bucket, today, template: stage.template('Lake').toJSON() });
}

/** The lake over what a world has stored. */
export function openLakeOf({ world }: Pick<LakeWorld, 'world'>): Promise<TrinoLake> {
  const s3Endpoint = defined(world.environment['AWS_ENDPOINT_URL_S3']);
  return openLake({ s3Endpoint, bucket: BUCKET, today: TODAY });
}

/** The keys below these prefixes that were read from S3 while `ask` ran, each once. */
export async function keysOpened(
  { aws }: { aws: AwsSandbox },
  prefixes: readonly string[],
  ask: () => Promise<unknown>,
): Promise<string[]> {
  const before = aws.requests.length;
  await ask();
  const read = aws.requests.slice(before).filter(({ operation }) => operation === 'GetObject');
  const keys = read.map(({ key = '' }) => key);
  return [...new Set(keys.filter((key) => prefixes.some((prefix) => key.startsWith(prefix))))].toSorted();
}
