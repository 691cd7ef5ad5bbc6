import { DaybookError } from '../errors/daybook-error.ts';

/** The registry is not JSON or lacks one of its three members. No part of it can be used. */
export class RegistryError extends DaybookError {
  override readonly name = 'RegistryError';
}

/** The registry has no merchant with this code. */
export class UnknownMerchantError extends DaybookError {
  override readonly name = 'UnknownMerchantError';
  readonly merchantCode: string;
  constructor(merchantCode: string) {
    super(`the registry has no merchant ${merchantCode}`);
    this.merchantCode = merchantCode;
  }
}

/**
 * A merchant's entry, merged with the defaults, is not as docs/registry.md says. The message names the
 * member.
 */
export class InvalidMerchantError extends DaybookError {
  override readonly name = 'InvalidMerchantError';
  readonly merchantCode: string;
  readonly path: string;
  constructor(merchantCode: string, path: string, reason: string) {
    super(`the registry's entry of merchant ${merchantCode} is not usable: ${path}: ${reason}`);
    this.merchantCode = merchantCode;
    this.path = path;
  }
}
