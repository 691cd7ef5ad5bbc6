/** A stage is not named or not known, or a setting of it is missing or wrong. The message says which, and what to use. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}
