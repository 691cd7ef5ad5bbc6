/** Trino cannot be installed or started on this machine. The message says what was tried. */
export class TrinoUnavailableError extends Error {
  override readonly name = 'TrinoUnavailableError';
}
