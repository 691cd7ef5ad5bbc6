import { confirm, password, select, text } from '@clack/prompts';
import { shown } from './shown-text.ts';
import type { Stream, Surroundings } from './output.ts';
import { InterruptedError, UsageError } from './command-errors.ts';

/** The most UTF-16 units of a question. */
const LONGEST = 1_000;

export interface Question {
  message: string;
  /** How to give it without being asked, such as `--name`: for the error when nobody can answer. */
  option: string;
  /** Why a text cannot be taken, `undefined` when it can. */
  fault?: (text: string) => string | undefined;
}

/** What a person is told who said no. */
export const NOTHING_CHANGED = 'Nothing was changed.';

/** How a command asks the person in front of it. Questions are written to stderr. */
export type Questions = ReturnType<typeof createQuestions>;

/**
 * Where nobody can answer, a question gives its `initial`, and without one it throws {@link UsageError}.
 *
 * @param yes `--yes` was given: every question for a yes is answered
 */
export function createQuestions({ stdin, stderr: output }: Surroundings, isJson: boolean, yes: boolean) {
  const canAsk = !isJson && stdin.isTTY === true && output.isTTY === true;
  const answerTo = async <Answer>(
    { message, option }: Question,
    initial: Answer | undefined,
    ask: (asked: { message: string; output: Stream }) => Promise<Answer | symbol>,
  ): Promise<Answer> => {
    if (!canAsk) {
      if (initial !== undefined) return initial;
      throw new UsageError(`give ${option}: without a terminal, it cannot be asked`);
    }
    const answer = await ask({ message: shown(message, LONGEST), output });
    if (typeof answer === 'symbol') throw new InterruptedError('nothing was changed');
    return answer;
  };
  return {
    /** Whether anybody can answer: both ends are a terminal, and `--json` is not given. */
    canAsk,
    text: ({ initial, fault, ...question }: Question & { initial?: string | undefined }) =>
      answerTo<string>(question, initial, (asked) =>
        text({
          ...asked,
          // Enter takes the default. It does not stand in the field, because typing would add to it.
          ...(initial !== undefined && { placeholder: initial, defaultValue: initial }),
          validate: (value = '') => fault?.(value === '' ? (initial ?? '') : value),
        }),
      ),
    hidden: ({ fault, ...question }: Question) =>
      answerTo<string>(question, undefined, (asked) =>
        password({ ...asked, validate: (value) => fault?.(value ?? '') }),
      ),
    choice: async <Value extends string>(
      question: Question & { values: readonly Value[]; initial: Value },
    ): Promise<Value> => {
      const { values, initial } = question;
      const options = values.map((value) => ({ value, label: value }));
      const answer = await answerTo<string>(question, initial, (asked) =>
        select<string>({ ...asked, options, initialValue: initial }),
      );
      return values.find((value) => value === answer) ?? initial;
    },
    /** @param refused what is said when the answer is no */
    confirm: async (message: string, refused?: string): Promise<boolean> => {
      if (yes) return true;
      const isMeant = await answerTo<boolean>({ message, option: '--yes' }, undefined, (asked) =>
        confirm({ ...asked, initialValue: false }),
      );
      if (!isMeant && refused !== undefined) output.write(`${refused}\n`);
      return isMeant;
    },
  };
}
