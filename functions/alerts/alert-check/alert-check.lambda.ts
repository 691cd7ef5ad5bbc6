import type { Context } from 'aws-lambda';
import { readEnvironment } from '#registry/environment.ts';
import { createAlertCheck } from './create-alert-check.ts';
import type { AlertCheck, AlertCheckAnswer } from './create-alert-check.ts';
import { buildDependencies } from './dependencies.ts';

let alertCheck: AlertCheck | undefined;

/** Built at the first event, so that an error in the environment fails that event. */
function build(): AlertCheck {
  return createAlertCheck(buildDependencies(readEnvironment(process.env)));
}

export async function handler(event: unknown, context?: Context): Promise<AlertCheckAnswer> {
  alertCheck ??= build();
  return alertCheck(event, context);
}
