/**
 * Its `name` is a literal: records, queues and people know errors by it, and minifying changes class names. Its message
 * never contains a secret, a payload or a customer's data.
 */
export abstract class DaybookError extends Error {
  abstract override readonly name: string;
}

export class NothingSealedError extends DaybookError {
  override readonly name = 'NothingSealedError';
}

/** Ops had to be notified, and every way to them failed. Trying again notifies them. */
export class OpsNotToldError extends DaybookError {
  override readonly name = 'OpsNotToldError';
}

/** Other runs sealed other content at every attempt: what this run read may be older. */
export class SealContestedError extends DaybookError {
  override readonly name = 'SealContestedError';
}
