import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import { requestHandler } from '#runtime/aws-clients.ts';
import { HEADINGS, headingOfError } from '#mail/notices/runbook.ts';
import type { AnyFunctionName, FunctionName } from '#lib/functions.ts';
import { isMembers } from '#records/json/exact-json.ts';
import { jsonOrNothing } from '../files.ts';
import type { CommandContext } from '../context.ts';
import { CommandError, UsageError } from '../terminal/command-errors.ts';
import type { Stage } from './stage.ts';

/** A function runs for 15 minutes at most. Milliseconds. */
const LONGEST_CALL = 16 * 60_000;

const failureSchema = z.object({ errorType: z.string(), errorMessage: z.string().default('') });

/** Errors of functions that say: the event cannot be done as it is. */
const WRONG_INPUT = new Set([
  'InvalidDayError',
  'InvalidEventError',
  'InvalidPeriodError',
  'PreviewAddressError',
]);

/** The option of a command for each member of an event. */
const OPTIONS: Readonly<Record<string, string>> = {
  day: '--day',
  period: '--period',
  from: '--from',
  to: '--to',
  merchants: '--merchant',
  resend: '--only',
};

/** How a person gave a member of the event. `undefined`: it is none of theirs. */
type NameOf = (member: string) => string | undefined;

/** An error that names a member of the event, such as `to[0]: is at a public mail domain`. */
const NAMED_MEMBER = /^(?:the event is not usable: )?(\w+)(?:\[(\d+)\])?:? (.*)$/s;

/** @throws {CommandError} when the settings of the stage do not ask for it */
export function deployedName(
  { name: stage, functions, optionalFunctions }: Stage,
  name: AnyFunctionName,
): string {
  const deployed = { ...functions, ...optionalFunctions }[name];
  if (deployed !== undefined) return deployed;
  throw new CommandError(`the stage "${stage}" has no function ${name}: its settings do not ask for it`);
}

/**
 * Invokes a function of the stage and waits for its answer. The call is made once: a second one could send a mail again.
 *
 * @throws {UsageError} when the function does not take what the person gave
 * @throws {CommandError} when the function ends with another error
 */
export async function invokeFunction(
  stage: Stage,
  name: AnyFunctionName,
  event: unknown,
  nameOf: NameOf = (member) => OPTIONS[member],
): Promise<unknown> {
  const client = new LambdaClient({ maxAttempts: 1, requestHandler: requestHandler(LONGEST_CALL) });
  try {
    const { FunctionError: error, Payload: payload } = await client.send(
      new InvokeCommand({ FunctionName: deployedName(stage, name), Payload: JSON.stringify(event) }),
    );
    const answer = jsonOrNothing(payload?.transformToString() ?? '');
    if (error === undefined) return answer;
    const failure = failureSchema.safeParse(answer).data;
    const { errorType = 'UnexpectedError', errorMessage = error } = failure ?? {};
    const [, member = '', index, reason = ''] = NAMED_MEMBER.exec(errorMessage) ?? [];
    const given = nameOf(member);
    if (WRONG_INPUT.has(errorType) && given !== undefined) {
      const list = isMembers(event) ? event[member] : undefined;
      // By its place: the value may be an address.
      const place = Array.isArray(list) && list.length > 1 ? ` (number ${Number(index) + 1})` : '';
      throw new UsageError(`${given}${place}: ${reason}`);
    }
    const { document, heading } = HEADINGS[headingOfError(errorType)];
    throw new CommandError(
      `${name} ended with ${errorType}: ${errorMessage.trim()}. Read "${heading.replaceAll('`', '')}" in docs/${document}.md`,
    );
  } finally {
    client.destroy();
  }
}

/**
 * Invokes a function of the stage, shows that it runs, and reads its answer. Ctrl-C says that the function goes on.
 *
 * @param asked how; `doing` is shown meanwhile
 * @throws {UsageError} {CommandError} as {@link invokeFunction}, and when another version of it is deployed
 */
export async function answerOf<Schema extends z.ZodType>(
  stage: Stage,
  name: FunctionName,
  event: unknown,
  asked: { schema: Schema; context: CommandContext; doing: string; nameOf?: NameOf },
): Promise<z.infer<Schema>> {
  const { schema, context, doing, nameOf } = asked;
  const mails = name === 'lake' ? '' : ', and may still send its mail';
  const invoked = await context.output.during(doing, undefined, () =>
    context.leaving(`${name} goes on without this command${mails}.`, () =>
      invokeFunction(stage, name, event, nameOf),
    ),
  );
  const answer = schema.safeParse(invoked);
  if (answer.success) return answer.data;
  throw new CommandError(
    `the answer of ${name} has another form than this version knows: deploy this version, or use that of the stage`,
  );
}
