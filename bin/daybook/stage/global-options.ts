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
