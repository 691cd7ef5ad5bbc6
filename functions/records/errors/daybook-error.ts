/**
 * Its `name` is a literal: state machines match on names, and minifying changes class names. Its message
 * never contains a secret, a payload or a customer's data.
 */
export abstract class DaybookError extends Error {
  abstract override readonly name: string;
}
