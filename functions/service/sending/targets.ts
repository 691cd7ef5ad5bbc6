import type { RequestOptions } from 'node:https';
import { urlToHttpOptions } from 'node:url';

export type Target = Pick<RequestOptions, 'protocol' | 'hostname' | 'port' | 'path'>;

export class Targets {
  readonly #known = new Map<string, Target>();

  /**
   * Parsed once, because thousands of requests have the same address.
   * @param address without a query
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
