import { DaybookError } from './daybook-error.ts';

/** Something is to be mailed or added up, but nothing of it is sealed. */
export class NothingSealedError extends DaybookError {
  override readonly name = 'NothingSealedError';
}
