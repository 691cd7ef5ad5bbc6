import type { RecordedRequest as AwsRequest } from '#sandbox/aws/index.ts';
import type { RecordedRequest as ServiceRequest } from '#sandbox/payments/index.ts';
import type { BrokenPromise } from './truths/evidence.ts';

export class Tally {
  readonly #counts = new Map<string, number>();

  add(name: string, more = 1): void {
    this.#counts.set(name, this.of(name) + more);
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  entries(): [string, number][] {
    return [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}

/** What happened in a run, for the lines at its end. */
export class Counts {
  readonly invocations = new Tally();
  readonly kills = new Tally();
  /** Invocations that ended with an error, by its name. */
  readonly failures = new Tally();
  readonly serviceFaults = new Tally();
  readonly awsFaults = new Tally();
  /** Mails that SES accepted, by kind. */
  readonly mails = new Tally();
  readonly mailEvents = new Tally();
  /** Everything else: ticks, messages put aside, credentials changed, files removed, … */
  readonly other = new Tally();
}

/** Counts the requests that met a fault. */
export class RequestTally {
  readonly #counts: Counts;
  readonly #written = new Set<string>();

  constructor(counts: Counts) {
    this.#counts = counts;
  }

  readonly service = ({ fault, refusal, operation }: ServiceRequest): void => {
    this.#counts.other.add('requests of the service');
    if (fault !== undefined && fault !== 'call') this.#counts.serviceFaults.add(fault);
    if (refusal?.startsWith('the access token died') === true) this.#counts.serviceFaults.add('token death');
    if (refusal !== undefined && operation === 'login') this.#counts.serviceFaults.add('login refused');
  };

  /** Counts requests of AWS. @returns a broken promise for each object that was written again although it is written once only */
  aws(requests: readonly AwsRequest[]): BrokenPromise[] {
    return requests.flatMap(({ service, operation, key = '', status, fault }): BrokenPromise[] => {
      this.#counts.other.add('requests of AWS');
      if (fault !== undefined && fault.kind !== 'call') {
        const what = fault.kind === 'error' ? fault.code : fault.kind;
        const when = fault.kind === 'reset' ? ` ${fault.when}` : '';
        this.#counts.awsFaults.add(`${service} ${what}${when}`);
      }
      if (operation !== 'PutObject' || status !== 200 || !/^(?:days|invoices|refunds)\//.test(key)) return [];
      if (this.#written.has(key)) return [{ what: `${key} was written twice` }];
      this.#written.add(key);
      return [];
    });
  }
}
