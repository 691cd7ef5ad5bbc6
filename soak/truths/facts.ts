import type { StopSpell } from '../schedule/mail-feed.ts';
import type { ToldCheck } from './alert-mails.ts';
import type { Readers } from './report-mails.ts';
import type { ServiceDay } from './service-data.ts';

/** What is true at the end of a run, told by everybody but Daybook. */
export interface Facts {
  /** Every merchant and day that was to be reported or was looked back at. */
  days: readonly ServiceDay[];
  /** By the merchant's code. */
  readers: ReadonlyMap<string, Readers>;
  /** Checks of alerts that had something to tell. */
  toldChecks: readonly ToldCheck[];
  /** Addresses that mail was stopped to. */
  stops: readonly StopSpell[];
  /** Files without a seal from before that moment have been removed. Milliseconds UTC. */
  sweptBefore: number;
}
