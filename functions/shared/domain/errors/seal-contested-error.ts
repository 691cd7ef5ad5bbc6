import { DaybookError } from './daybook-error.ts';

/**
 * Other runs sealed other content at every attempt, so what this run read may be older. A later run begins with what they
 * sealed.
 */
export class SealContestedError extends DaybookError {
  override readonly name = 'SealContestedError';
}
