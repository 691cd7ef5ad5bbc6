import { totalOf } from '#bin/daybook/cost/model/cost.ts';
import { AWS_LATENCY, WINDOW, duration } from '#bin/daybook/cost/model/duration.ts';
import { PRICES } from '#bin/daybook/cost/model/prices.ts';
import {
  PLAN_CALLS,
  statementMails,
  statementsBill,
  statementsRent,
} from '#bin/daybook/cost/model/statements-bill.ts';
import { LOOK_AT_MONTH, TRANSITIONS } from '#bin/daybook/cost/model/statement-units.ts';
import { FUNCTIONS } from '#lib/functions.ts';
import { STATEMENT_BATCH } from '#lib/constructs/statement-batch.ts';
import { listSchedule } from '../schedule.ts';
import type { Table } from '../table.ts';
import type { StatementRun } from './run-month.ts';

/** The fleet whose month's end is computed, the places of the state machine, and the memory of both functions (MB). */
const FLEET = {
  merchants: 10_000,
  places: 50,
  memory: { statement: FUNCTIONS.statement.memory, plan: FUNCTIONS.plan.memory },
};
/** `retention.dataDays` of the stages. */
const KEPT_DAYS = 400;

/** What the statements of a month's end need in Lambda, from those that were measured. */
export function monthTable({ statements, load, logBytes }: StatementRun): Table {
  const place = { memory: FLEET.memory.statement, latency: 0, awsLatency: AWS_LATENCY, window: WINDOW };
  const measured = statements.map((one) => duration(one, 0, place));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const scale = FLEET.merchants / statements.length;
  const all = Array.from({ length: FLEET.merchants }, (_, index) => measured[index % measured.length] ?? 0);
  // A batch holds its places until the slowest of it is done.
  const batches = Array.from({ length: Math.ceil(all.length / STATEMENT_BATCH) }, (_, index) =>
    Math.max(...all.slice(index * STATEMENT_BATCH, (index + 1) * STATEMENT_BATCH)),
  );
  const { total } = listSchedule(batches, Math.floor(FLEET.places / STATEMENT_BATCH));
  const each = (amount: (one: StatementRun['statements'][number]) => number) =>
    sum(statements.map(amount)) / statements.length;
  const s3Writes = sum(statements.map(({ aws }) => aws.s3Put + aws.s3List)) * scale;
  const mails = sum(statements.map(({ aws }) => aws.mail)) * scale;
  const use = {
    statements: FLEET.merchants,
    planCalls: PLAN_CALLS,
    transitions: TRANSITIONS.look + TRANSITIONS.due,
    children: batches.length,
    memory: FLEET.memory,
    duration: { statement: sum(all) + FLEET.places * load.wall, plan: LOOK_AT_MONTH.duration },
    s3Writes,
    s3Reads: sum(statements.map(({ aws }) => aws.s3Get)) * scale,
    listed: LOOK_AT_MONTH.listed,
    mails,
    attachmentBytes: 0,
    bytesStored: sum(statements.map(({ bytes }) => bytes)) * scale,
    kept: KEPT_DAYS,
    logBytes: logBytes * scale,
  };
  const bill = statementsBill(use);
  const ses = statementMails(use);
  return {
    title: `A month's end of ${FLEET.merchants} merchants, from ${statements.length} statements`,
    head: ['what', 'value'],
    rows: [
      ['CPU of a statement', `${each(({ cpu }) => cpu).toFixed(0)} ms`],
      [
        'GET, PUT, LIST of a statement',
        [each(({ aws }) => aws.s3Get), each(({ aws }) => aws.s3Put), each(({ aws }) => aws.s3List)]
          .map((value) => value.toFixed(1))
          .join(', '),
      ],
      ['calls that wait for each other', each(({ awsChain }) => awsChain).toFixed(1)],
      ['time in Lambda of a statement', `${(sum(measured) / measured.length).toFixed(0)} ms`],
      [
        'peak memory of a worker',
        `${(Math.max(...statements.map(({ peak }) => peak)) / 1_048_576).toFixed(0)} MB`,
      ],
      [`total time at ${FLEET.places} places`, `${(total / 1_000).toFixed(0)} s`],
      ...bill.map(({ what, dollars }) => [what, `${dollars.toFixed(4)} USD`]),
      ['together, once, without SES', `${totalOf(bill).toFixed(4)} USD`],
      ['SES, mails without their attachments', `${ses.toFixed(4)} USD`],
      [
        `S3, storage of ${KEPT_DAYS} days of such months, each month`,
        `${statementsRent(use).toFixed(4)} USD`,
      ],
    ],
    notes: [
      `List prices of ${PRICES.asOf}, ${PRICES.region}, without free tiers. Requests and CPU are measured, time is computed.`,
    ],
  };
}
