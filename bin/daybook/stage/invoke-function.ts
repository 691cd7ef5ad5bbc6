import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import { requestHandler } from '#runtime/aws-clients.ts';
import { HEADINGS, headingOfError } from '#mail/notices/runbook.ts';
import type { FunctionName } from '#lib/functions.ts';
import { jsonOrNothing } from '../files.ts';
import { CommandError } from '../terminal/command-errors.ts';
import type { Output } from '../terminal/output.ts';
import type { Stage } from './stage.ts';

/** A function runs for 15 minutes at most. Milliseconds. */
const LONGEST_CALL = 16 * 60_000;

const failureSchema = z.object({ errorType: z.string(), errorMessage: z.string().default('') });

function failureOf(functionName: FunctionName, errorName: string, message: string): CommandError {
  const { document, heading } = HEADINGS[headingOfError(errorName)];
  return new CommandError(
    `${functionName} ended with ${errorName}: ${message.trim()}. Read "${heading.replaceAll('`', '')}" in docs/${document}.md`,
  );
}

/**
 * Invokes a function of the stage and waits for its answer. The call is made once: a second one could send a mail again.
 *
 * @throws {CommandError} when the function ends with an error
 */
export async function invokeFunction(stage: Stage, name: FunctionName, event: unknown): Promise<unknown> {
  const client = new LambdaClient({
    maxAttempts: 1,
    requestHandler: requestHandler(LONGEST_CALL),
  });
  try {
    const { FunctionError: error, Payload: payload } = await client.send(
      new InvokeCommand({ FunctionName: stage.functions[name], Payload: JSON.stringify(event) }),
    );
    const answer = jsonOrNothing(payload?.transformToString() ?? '');
    if (error === undefined) return answer;
    const failure = failureSchema.safeParse(answer).data;
    throw failureOf(name, failure?.errorType ?? 'UnexpectedError', failure?.errorMessage ?? error);
  } finally {
    client.destroy();
  }
}

/**
 * Invokes a function of the stage, shows that it runs, and reads its answer.
 *
 * @param doing what is shown meanwhile
 * @throws {CommandError} when the function ends with an error, or another version of it is deployed
 */
export async function answerOf<Schema extends z.ZodType>(
  stage: Stage,
  name: FunctionName,
  event: unknown,
  { schema, output, doing }: { schema: Schema; output: Output; doing: string },
): Promise<z.infer<Schema>> {
  const work = output.begin(doing);
  const answer = schema.safeParse(await invokeFunction(stage, name, event).finally(() => work.stop()));
  if (answer.success) return answer.data;
  throw new CommandError(
    `the answer of ${name} has another form than this version knows: deploy this version, or use that of the stage`,
  );
}
