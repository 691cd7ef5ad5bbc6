/**
 * The base of all errors that Daybook throws itself. Its `name` is a literal in each derived class: state
 * machines match on names, and minifying changes class names. Its message names what failed and where. It
 * never contains a secret, a payload or a customer's data.
 */
export abstract class DaybookError extends Error {
  abstract override readonly name: string;
}
