import type { CommandPlace } from '#rendering/ops-command.ts';

/** The options that every command has. */
export interface GlobalOptions extends CommandPlace {
  json?: boolean | undefined;
  yes?: boolean | undefined;
}
