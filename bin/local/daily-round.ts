import * as z from 'zod';
import { reportAnswerSchema } from '../daybook/stage/function-answers.ts';
import type { ReportAnswer } from '../daybook/stage/function-answers.ts';
import { oneLine } from '#mail/formatters/outside-text.ts';
import type { AwsSandbox } from '#sandbox/aws/index.ts';
import type { FunctionEnvironments } from './functions/function-environments.ts';

/** The answer of `plan` (docs/interfaces.md, 4.1 plan). */
const planAnswerSchema = z.object({
  items: z.array(
    z.object({
      merchantCode: z.string(),
      days: z.array(z.string()),
      send: z.boolean(),
      scheduledTime: z.string().nullable(),
    }),
  ),
  rejected: z.array(z.object({ path: z.string(), reason: z.string() })),
});

export type Outcome = {
  merchantCode: string;
  day: string;
  /** Milliseconds. */
  took: number;
} & ({ report: ReportAnswer; mailKind: string | undefined } | { failure: string });

interface Tick {
  /** ISO 8601, UTC. */
  scheduledTime: string;
  /** `YYYY-MM-DD`, or `yesterday` for each merchant's own yesterday. */
  day: string;
  /** The merchants to report. Without it: all in the registry. */
  merchants?: string[];
}

function failureOf(error: unknown): string {
  return oneLine(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
}

/**
 * Asks `plan`, and then invokes `daily-report` once per item and day: without queues, so that each outcome is known at once.
 *
 * @param onPlanned called with the number of days to report
 * @param onOutcome called with each outcome as soon as it is known
 * @returns the outcomes in the plan's order
 * @throws {FunctionFailure} when `plan` fails
 */
export async function runTick(
  functions: Pick<FunctionEnvironments, 'invoke'>,
  mail: AwsSandbox['mail'],
  tick: Tick,
  onPlanned: (days: number) => void = () => undefined,
  onOutcome: (outcome: Outcome) => void = () => undefined,
): Promise<Outcome[]> {
  const plan = planAnswerSchema.parse(
    await functions.invoke('plan', { kind: 'daily', dryRun: true, ...tick }),
  );
  const [rejected] = plan.rejected;
  if (rejected !== undefined) throw new Error(`plan rejects ${rejected.path}: ${rejected.reason}`);
  const invocations = plan.items.flatMap(({ days, ...item }) => days.map((day) => ({ ...item, day })));
  onPlanned(invocations.length);
  return Promise.all(
    invocations.map(async (event) => {
      const { merchantCode, day } = event;
      const began = performance.now();
      const outcome = await functions.invoke('daily-report', event).then(
        (answer) => {
          const report = reportAnswerSchema.parse(answer);
          return { report, mailKind: mailKind(mail, report) };
        },
        (error: unknown) => ({ failure: failureOf(error) }),
      );
      const ended = { merchantCode, day, took: performance.now() - began, ...outcome };
      onOutcome(ended);
      return ended;
    }),
  );
}

/** The kind of the mail that SES got, such as `report` or `correction`; `undefined` when this run sent none. */
export function mailKind(
  mail: AwsSandbox['mail'],
  { mail: { messageIds } }: Pick<ReportAnswer, 'mail'>,
): string | undefined {
  return mail.messages.find(({ messageId }) => messageIds.includes(messageId))?.tags['kind'];
}
