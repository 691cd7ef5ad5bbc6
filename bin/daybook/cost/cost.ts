import { allMerchants } from '#domain/registry/merchants.ts';
import { RegistrySource } from '#registry/registry-source.ts';
import type { CommandContext } from '../context.ts';
import type { ExitStatus } from '../perform.ts';
import { totalOf } from './model/cost.ts';
import { PRICES } from './model/prices.ts';
import { stageBill } from './model/stage-bill.ts';
import { sealedSizes } from './sealed-sizes.ts';
import type { CostResult } from './cost-result.ts';
import { showCost } from './show-cost.ts';
import { stageStatements } from './stage-statements.ts';
import { ASSUMED_SIZE, CHECK_DURATION, stageUse } from './stage-use.ts';
import { tickCounts } from './tick-counts.ts';

const STATEMENTS_ASSUMED = [
  'a month has 30 days and 4.3 weeks; statements are final at once, without corrections and second rounds',
  "a statement's PDF has 54 kB of a week and 73 kB of a month, its workbook as much as those of its days",
];

/** Computes what the stage costs a day. @param latency of a request to the payment service, milliseconds */
export async function cost(
  { stage: connect, output, now }: CommandContext,
  latency: number,
): Promise<ExitStatus> {
  const stage = await connect();
  const s3 = stage.s3();
  const source = new RegistrySource(s3, stage.bucket, stage.registryKey);
  const [{ registry }, counted, sizes] = await Promise.all([
    source.load(),
    tickCounts(stage),
    sealedSizes(s3, stage.bucket, now()),
  ]);
  const { merchants } = allMerchants(registry);
  const { ticks, assumed } = counted;
  const { dataDays, concurrency } = stage;
  const use = stageUse({
    merchants,
    defaultSecret: stage.credentialsSecret,
    ticks,
    sizes,
    dataDays,
    reportsAtOnce: concurrency?.reports,
    checksAtOnce: concurrency?.alerts,
    latency,
  });
  const statements = stageStatements(registry, use);
  const lines = [...stageBill(use), ...(statements?.lines ?? [])];
  const dollarsADay = totalOf(lines);
  const result: CostResult = {
    stage: stage.name,
    lines,
    dollarsADay,
    dollarsAMonth: dollarsADay * 30,
    prices: { asOf: PRICES.asOf, region: PRICES.region },
    use,
    statements: statements && { counts: statements.counts, parts: statements.parts },
    sizes: sizes ?? null,
    assumed: [
      ...(sizes === undefined
        ? [
            `no day is sealed yet: a merchant has ${ASSUMED_SIZE.invoices} invoices a day, ${ASSUMED_SIZE.bytes / 1_000} kB`,
          ]
        : []),
      ...assumed.map(
        (tick) => `the schedule of ${tick} could not be read: ${ticks[tick]} runs a day are assumed`,
      ),
      ...(dataDays === undefined ? [`files are kept ${use.kept} days`] : []),
      ...(concurrency === undefined
        ? [`${use.reportsAtOnce} reports and ${use.checksAtOnce} alert checks run at the same time`]
        : []),
      `a request to the payment service takes ${latency} ms (--latency), an alert check ${CHECK_DURATION / 1_000} s`,
      'one merchant in twenty has a child of its own in the state machine, and the others share one by five',
      'lookback days are unchanged, no mail is sent twice, and nobody queries Athena',
      'the history is merged once a day, with every lookback day, and no group of analysts has a copy of it',
      ...(statements === null ? [] : STATEMENTS_ASSUMED),
    ],
  };
  output.result(result, (value) => showCost(output, value));
  return 0;
}
