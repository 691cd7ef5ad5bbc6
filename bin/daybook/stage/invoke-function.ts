import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import { requestHandler } from '#runtime/aws-clients.ts';
import { HEADINGS, headingOfError } from '#mail/notices/runbook.ts';
import type { FunctionName } from '#lib/functions.ts';
import { jsonOrNothing } from '../files.ts';
import { CommandError } from '../terminal/command-errors.ts';
import type { Stage } from './stage.ts';

/** A function runs for 15 minutes at most. Milliseconds. */
const LONGEST_CALL = 16 * 60_000;

const failureSchema = z.object({ errorType: z.string(), errorMessage: z.string().default('') });

/** A function ended with an error. */
export class FunctionFailedError extends CommandError {
  /** The name of its error, such as `CipherError`. */
  readonly errorName: string;
  constructor(functionName: FunctionName, errorName: string, message: string) {
    const { document, heading } = HEADINGS[headingOfError(errorName)];
    super(
      `${functionName} ended with ${errorName}: ${message.trim()}. Read "${heading.replaceAll('`', '')}" in docs/${document}.md`,
    );
    this.errorName = errorName;
  }
}

/**
 * Invokes a function of the stage and waits for its answer. The call is made once: a second one could send a mail again.
 *
 * @throws {FunctionFailedError} when the function ends with an error
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
    throw new FunctionFailedError(
      name,
      failure?.errorType ?? 'UnexpectedError',
      failure?.errorMessage ?? error,
    );
  } finally {
    client.destroy();
  }
}
