import type { Context } from 'aws-lambda';
import { readEnvironment } from '#registry/environment.ts';
import { createMailEvents } from './create-mail-events.ts';
import type { MailEvents } from './create-mail-events.ts';
import { buildDependencies } from './dependencies.ts';

let mailEvents: MailEvents | undefined;

/** Built at the first event, so that an error in the environment fails that event. */
function start(): MailEvents {
  return createMailEvents(buildDependencies(readEnvironment(process.env)));
}

export async function handler(event: unknown, context?: Context): Promise<void> {
  mailEvents ??= start();
  await mailEvents(event, context);
}
