import type { Context } from 'aws-lambda';
import { readEnvironment } from '#domain/settings/environment.ts';
import { createAlertCheck } from './create-alert-check.ts';
import type { AlertCheck, AlertCheckAnswer } from './create-alert-check.ts';
import { buildDependencies } from './dependencies.ts';

let alertCheck: AlertCheck | undefined;

/**
 * Built at the first event of a cold start: an error in the environment fails that event and names the
 * variable.
 */
function build(): AlertCheck {
  return createAlertCheck(buildDependencies(readEnvironment(process.env)));
}

/** The handler that AWS calls: checks the rules of one merchant once. */
export async function handler(event: unknown, context?: Context): Promise<AlertCheckAnswer> {
  alertCheck ??= build();
  return alertCheck(event, context);
}
