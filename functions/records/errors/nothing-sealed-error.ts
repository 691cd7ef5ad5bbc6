import { DaybookError } from './daybook-error.ts';

export class NothingSealedError extends DaybookError {
  override readonly name = 'NothingSealedError';
}
