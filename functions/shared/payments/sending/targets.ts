import type { RequestOptions } from 'node:https';
import { urlToHttpOptions } from 'node:url';

/** Where a request goes to. The path has no query. */
export type Target = Pick<RequestOptions, 'protocol' | 'hostname' | 'port' | 'path'>;

/** Where addresses lead. Each is parsed once, because thousands of requests have the same address. */
export class Targets {
  readonly #known = new Map<string, Target>();

  /**
   * Where an address leads.
   *
   * @param address a URL without a query
   * @throws {TypeError} when it is no URL
   */
  of(address: string): Target {
    const known = this.#known.get(address);
    if (known !== undefined) return known;
    const { protocol, hostname, port, path } = urlToHttpOptions(new URL(address));
    const target = { protocol, hostname, port, path };
    this.#known.set(address, target);
    return target;
  }
}
