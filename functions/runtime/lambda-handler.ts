import type { Context } from 'aws-lambda';

/** What a function does with an event. It throws the errors of docs/operations.md. */
export type Handler<Answer> = (event: unknown, context?: Context) => Promise<Answer>;

/** A handler that is built at the first event, so that an error in the environment fails that event. */
export function builtAtFirstEvent<Answer>(build: () => Handler<Answer>): Handler<Answer> {
  let built: Handler<Answer> | undefined;
  return async (event, context) => {
    built ??= build();
    return built(event, context);
  };
}
