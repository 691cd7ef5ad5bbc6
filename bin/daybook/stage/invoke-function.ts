import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import { requestHandler } from '#aws/aws-clients.ts';
import { CommandError } from '../terminal/command-errors.ts';

/** Lambda's own limit, and a little more, so that its answer comes first. Milliseconds. */
const LONGEST_RUN = 15 * 60_000 + 30_000;

const errorSchema = z.object({
  errorType: z.string().optional(),
  errorMessage: z.string().default('no message'),
});

/** A function ended with an error. */
export class FunctionError extends CommandError {
  /** The name of the error. */
  readonly errorName: string;

  constructor(functionName: string, errorName: string, message: string) {
    super(`${functionName}: ${errorName}: ${message}`);
    this.errorName = errorName;
  }
}

/**
 * Invokes a function and waits for its answer.
 *
 * @param functionName the name in AWS, as the stage's outputs have it
 * @throws {FunctionError} when the function ends with an error
 */
export async function invokeFunction(functionName: string, event: unknown): Promise<unknown> {
  // A second attempt would run the function twice.
  const client = new LambdaClient({ maxAttempts: 1, requestHandler: requestHandler(LONGEST_RUN) });
  try {
    const { FunctionError: failed, Payload: payload } = await client.send(
      new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify(event) }),
    );
    const text = Buffer.from(payload ?? []).toString('utf8');
    const answer: unknown = text === '' ? null : JSON.parse(text);
    if (failed === undefined) return answer;
    const { errorType, errorMessage } = errorSchema.parse(answer);
    throw new FunctionError(functionName, errorType ?? failed, errorMessage);
  } finally {
    client.destroy();
  }
}
