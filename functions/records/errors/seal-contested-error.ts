import { DaybookError } from './daybook-error.ts';

/** Other runs sealed other content at every attempt: what this run read may be older. */
export class SealContestedError extends DaybookError {
  override readonly name = 'SealContestedError';
}
