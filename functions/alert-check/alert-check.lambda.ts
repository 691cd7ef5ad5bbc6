import type { Context } from 'aws-lambda';
import { readEnvironment } from '#runtime/environment.ts';
import { createAlertCheck } from './create-alert-check.ts';
import type { AlertCheck, AlertCheckAnswer } from './create-alert-check.ts';
import { buildDependencies } from './dependencies.ts';

let alertCheck: AlertCheck | undefined;

/** What a cold start builds, at the first event: a malformed environment fails that, and names the variable. */
function build(): AlertCheck {
  return createAlertCheck(buildDependencies(readEnvironment(process.env)));
}

/** What AWS calls: the rules of one merchant, checked once. */
export async function handler(event: unknown, context?: Context): Promise<AlertCheckAnswer> {
  alertCheck ??= build();
  return alertCheck(event, context);
}
