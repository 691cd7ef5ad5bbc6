import type { CommandPlace } from '#mail/notices/ops-command.ts';

/** The options that every command has. */
export interface GlobalOptions extends CommandPlace {
  json?: boolean | undefined;
  yes?: boolean | undefined;
}
