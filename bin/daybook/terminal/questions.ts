import { confirm, password, select, text } from '@clack/prompts';
import { shown } from './shown-text.ts';
import type { Surroundings } from './output.ts';
import { InterruptedError, UsageError } from './command-errors.ts';

/** The most UTF-16 units of a question. */
const LONGEST = 1_000;

export interface TextQuestion {
  message: string;
  /** How to give it without being asked, such as `--name`: for the error when nobody can answer. */
  option: string;
  initial?: string | undefined;
  /** Why a text cannot be taken, `undefined` when it can. */
  fault?: (text: string) => string | undefined;
}

export interface ChoiceQuestion<Value extends string> {
  message: string;
  option: string;
  values: readonly Value[];
  initial?: Value | undefined;
}

/** @throws {InterruptedError} when the person pressed Ctrl-C */
function assertAnswered<Answer>(answer: Answer): asserts answer is Exclude<Answer, symbol> {
  if (typeof answer === 'symbol') throw new InterruptedError('nothing was changed');
}

/** How a command asks the person in front of it. Questions are written to stderr. */
export type Questions = ReturnType<typeof createQuestions>;

/**
 * Where nobody can answer, a question gives its `initial`, and without one it throws {@link UsageError}.
 *
 * @param yes `--yes` was given: every question for a yes is answered
 */
export function createQuestions({ stdin, stderr: output }: Surroundings, isJson: boolean, yes: boolean) {
  const canAsk = !isJson && stdin.isTTY === true && output.isTTY === true;
  const nobody = (option: string) => new UsageError(`give ${option}: without a terminal, it cannot be asked`);
  return {
    /** Whether anybody can answer: both ends are a terminal, and `--json` is not given. */
    canAsk,
    text: async ({ message, option, initial, fault }: TextQuestion): Promise<string> => {
      if (!canAsk) {
        if (initial === undefined) throw nobody(option);
        return initial;
      }
      const asked = await text({
        message: shown(message, LONGEST),
        output,
        // Enter takes the default. It does not stand in the field, because typing would add to it.
        ...(initial !== undefined && { placeholder: initial, defaultValue: initial }),
        validate: (value = '') => fault?.(value === '' ? (initial ?? '') : value),
      });
      assertAnswered(asked);
      return asked;
    },
    hidden: async ({ message, option, fault }: TextQuestion): Promise<string> => {
      if (!canAsk) throw nobody(option);
      const asked = await password({
        message: shown(message, LONGEST),
        output,
        validate: (value) => fault?.(value ?? ''),
      });
      assertAnswered(asked);
      return asked;
    },
    choice: async <Value extends string>({
      message,
      option,
      values,
      initial,
    }: ChoiceQuestion<Value>): Promise<Value> => {
      if (!canAsk) {
        if (initial === undefined) throw nobody(option);
        return initial;
      }
      const options = values.map((value) => ({ value, label: value }));
      const asked = await select<string>({
        message: shown(message, LONGEST),
        output,
        options,
        ...(initial !== undefined && { initialValue: initial }),
      });
      assertAnswered(asked);
      const value = values.find((one) => one === asked);
      if (value === undefined) throw new InterruptedError('nothing was chosen');
      return value;
    },
    confirm: async (message: string): Promise<boolean> => {
      if (yes) return true;
      if (!canAsk) throw nobody('--yes');
      const asked = await confirm({ message: shown(message, LONGEST), output, initialValue: false });
      assertAnswered(asked);
      return asked;
    },
  };
}
