import { pastedLine } from '#mail/notices/ops-command.ts';
import type { CommandPlace } from '#mail/notices/ops-command.ts';

/** The options that every command has. */
export interface GlobalOptions extends CommandPlace {
  json?: boolean | undefined;
  yes?: boolean | undefined;
}

/** Makes lines for the person to paste. They lead to the stage that this command works with. */
export type Lines = ReturnType<typeof linesFor>;

/** @param place where the stage is. A local run has no account: lines of the AWS CLI and of CDK start it again */
export function linesFor(place: CommandPlace) {
  const line =
    (tool: 'aws' | 'cdk' | 'daybook') =>
    (...words: readonly string[]) =>
      pastedLine(tool, words, place);
  return {
    /** Of the operator's command. Each word is one after `daybook`. */
    daybook: line('daybook'),
    aws: line('aws'),
    /** Of the tool that deploys. */
    cdk: line('cdk'),
  };
}
