import type { StopSpell } from '../schedule/mail-feed.ts';
import type { ToldCheck } from './alert-mails.ts';
import type { DueStatement } from './due-statements.ts';
import type { SoakGroup } from './group-mails.ts';
import type { Readers } from './report-mails.ts';
import type { ServiceDay } from './service-data.ts';

/** The facts at the end of a run, from every source except Daybook. */
export interface Facts {
  /** Every merchant and day that was to be reported or was a lookback day. */
  days: readonly ServiceDay[];
  /** By the merchant's code. */
  readers: ReadonlyMap<string, Readers>;
  /** Statements whose time came. */
  statements: readonly DueStatement[];
  group: SoakGroup;
  /** Checks of alerts with something to report. */
  toldChecks: readonly ToldCheck[];
  /** Addresses that get no mail any more. */
  stops: readonly StopSpell[];
  /** Files without a seal from before this moment have been removed. Milliseconds UTC. */
  sweptBefore: number;
}
