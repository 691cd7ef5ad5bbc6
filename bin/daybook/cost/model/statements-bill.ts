import { expressChildren } from './children.ts';
import { lambdaTime, logs, storage } from './cost.ts';
import type { CostLine } from './cost.ts';
import { PRICES } from './prices.ts';

/** What some statements need: those of one month's end, or of thirty days. */
export interface StatementsUse {
  /** Invocations of `statement`: statements and groups' pages. */
  statements: number;
  /** Invocations of `plan`. */
  planCalls: number;
  /** State transitions of the machine of the reports, without those that start children. */
  transitions: number;
  /** EXPRESS children, each with a batch of statements. */
  children: number;
  /** MB. */
  memory: { statement: number; plan: number };
  /** All invocations of each function together, with cold starts. Milliseconds. */
  duration: { statement: number; plan: number };
  /** Requests to S3 of all statements. */
  s3Writes: number;
  s3Reads: number;
  /** Requests of `plan` that list. */
  listed: number;
  mails: number;
  /** Of all mails together. */
  attachmentBytes: number;
  /** Bytes that are kept: statements and ledgers. */
  bytesStored: number;
  /** How long they are kept, days. */
  kept: number;
  logBytes: number;
}

/** Calls of `plan` in the execution: what is due, and how many failed. */
export const PLAN_CALLS = 2;
const GB = 1_000_000_000;

/**
 * What it costs to make the statements, by list prices. It is paid once, when they are made. Their mails are
 * {@link statementMails}, and what they cost while they are kept is {@link statementsRent}.
 *
 * @returns dollars of all that `use` counts
 */
export function statementsBill(use: StatementsUse): CostLine[] {
  const { statements, memory, duration } = use;
  return [
    {
      what: 'Statements: Lambda',
      dollars: lambdaTime(duration.statement, memory.statement) + statements * PRICES.lambdaRequest,
    },
    {
      what: 'Statements: Step Functions',
      dollars: expressChildren(use.children, duration.statement) + use.transitions * PRICES.stateTransition,
    },
    {
      what: 'Statements: S3 requests',
      dollars: use.s3Writes * PRICES.s3Write + use.s3Reads * PRICES.s3Read,
    },
    {
      what: 'Statements: looks of plan',
      dollars:
        lambdaTime(duration.plan, memory.plan) +
        use.planCalls * PRICES.lambdaRequest +
        use.listed * PRICES.s3Write,
    },
    { what: 'Statements: CloudWatch logs', dollars: logs(use.logBytes) },
  ];
}

/** What SES charges for the mails of statements. Dollars of all that `use` counts. */
export function statementMails({ mails, attachmentBytes }: StatementsUse): number {
  return mails * PRICES.mail + (attachmentBytes / GB) * PRICES.attachmentGb;
}

/**
 * The rent of what is kept: dollars each month as soon as so much was added every month for as long as it is kept. It is also
 * what one month's statements cost over all of that time.
 */
export function statementsRent({ bytesStored, kept }: StatementsUse): number {
  return storage(bytesStored, kept);
}
