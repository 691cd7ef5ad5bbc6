/**
 * The base of every error that Daybook raises itself. Its `name` is a literal in each derived class, because
 * state machines match on names and minifying changes class names; its message names what and where and never holds
 * a secret, a payload or a customer's field.
 */
export abstract class DaybookError extends Error {
  abstract override readonly name: string;
}
