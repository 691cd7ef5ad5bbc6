import { DaybookError } from '../errors/daybook-error.ts';

/** The registry is no JSON or lacks its three members; nothing of it can be used. */
export class RegistryError extends DaybookError {
  override readonly name = 'RegistryError';
}

/** The registry has no merchant of this code. */
export class UnknownMerchantError extends DaybookError {
  override readonly name = 'UnknownMerchantError';
  readonly merchantCode: string;
  constructor(merchantCode: string) {
    super(`the registry has no merchant ${merchantCode}`);
    this.merchantCode = merchantCode;
  }
}

/** A merchant's entry (with the defaults beneath it) is not what docs/registry.md asks for; names the member. */
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
