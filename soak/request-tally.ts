import type { RecordedRequest as AwsRequest } from '#sandbox/aws/index.ts';
import type { RecordedRequest as ServiceRequest } from '#sandbox/payments/index.ts';
import type { Counts } from './tally.ts';
import type { BrokenPromise } from './truths/broken-promise.ts';

/** Counts the requests that met a fault. */
export class RequestTally {
  readonly #counts: Counts;
  readonly #written = new Set<string>();

  constructor(counts: Counts) {
    this.#counts = counts;
  }

  /** Counts a finished request of the payment service. */
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
