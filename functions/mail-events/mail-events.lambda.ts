import type { Context } from 'aws-lambda';
import { readEnvironment } from '#runtime/environment.ts';
import { createMailEvents } from './create-mail-events.ts';
import type { MailEvents } from './create-mail-events.ts';
import { buildDependencies } from './dependencies.ts';

let mailEvents: MailEvents | undefined;

/** What a cold start builds, at the first event: a malformed environment fails that, and names the variable. */
function start(): MailEvents {
  return createMailEvents(buildDependencies(readEnvironment(process.env)));
}

/** What AWS calls: one event of SES, as EventBridge delivers it. */
export async function handler(event: unknown, context?: Context): Promise<void> {
  mailEvents ??= start();
  await mailEvents(event, context);
}
