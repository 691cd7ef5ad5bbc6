import { pastedLine } from '#mail/notices/ops-command.ts';
import type { CommandPlace } from '#mail/notices/ops-command.ts';

/** The options that every command has. */
export interface GlobalOptions extends CommandPlace {
  json?: boolean | undefined;
  yes?: boolean | undefined;
}

/** Makes lines for the person to paste. They lead to the stage that this command works with. */
export interface Lines {
  /** Of the operator's command. @param words what comes after `daybook`, a word each */
  daybook: (...words: readonly string[]) => string;
  /** Of the AWS CLI. A local run has no account: the line starts it again. */
  aws: (...words: readonly string[]) => string;
  /** Of the tool that deploys. The same is true of it. */
  cdk: (...words: readonly string[]) => string;
}

export function linesFor(place: CommandPlace): Lines {
  return {
    daybook: (...words) => pastedLine('daybook', words, place),
    aws: (...words) => pastedLine('aws', words, place),
    cdk: (...words) => pastedLine('cdk', words, place),
  };
}
