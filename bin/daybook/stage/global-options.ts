/** The options that every command has. */
export interface GlobalOptions {
  stage?: string | undefined;
  profile?: string | undefined;
  region?: string | undefined;
  local?: boolean | undefined;
  directory?: string | undefined;
  json?: boolean | undefined;
  yes?: boolean | undefined;
}

/** Where a local run keeps everything, if nothing else is said. */
export const DEFAULT_DIRECTORY = '.local';

function quoted(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The options that lead to the same stage again, as a person types them. */
export function repeatedOptions({ local, directory, stage, profile, region }: GlobalOptions): string {
  const isElsewhere = local === true && directory !== DEFAULT_DIRECTORY;
  const valued = { stage, profile, region, ...(isElsewhere && { directory }) };
  return [
    ...(local === true ? ['--local'] : []),
    ...Object.entries(valued).flatMap(([name, value]) =>
      value === undefined ? [] : [`--${name} ${quoted(value)}`],
    ),
  ].join(' ');
}
