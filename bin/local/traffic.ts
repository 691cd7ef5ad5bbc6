import type { RecordedRequest } from '#sandbox/payments/index.ts';

/** Counts the requests to the payment service and its answers. */
export class Traffic {
  requests = 0;
  readonly #troubles = new Map<string, number>();

  add({ status }: RecordedRequest): void {
    this.requests += 1;
    if (status === 200) return;
    const trouble = status === 0 ? 'cut off' : `answered ${status}`;
    this.#troubles.set(trouble, (this.#troubles.get(trouble) ?? 0) + 1);
  }

  /** Such as `142 requests, 12 answered 429, 6 cut off`. */
  inWords(): string {
    const troubles = [...this.#troubles].map(([trouble, count]) => `${count} ${trouble}`);
    return [`${this.requests} requests`, ...troubles].join(', ');
  }
}
