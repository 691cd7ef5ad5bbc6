import { DaybookError } from '#records/errors/daybook-error.ts';

/** Not JSON, or one of its three members is missing: no part can be used. */
export class RegistryError extends DaybookError {
  override readonly name = 'RegistryError';
}

/** An owner has no settings: it is not in the registry, or its entry cannot be used. */
export abstract class NoSettingsError extends DaybookError {}

export class UnknownMerchantError extends NoSettingsError {
  override readonly name = 'UnknownMerchantError';
  readonly merchantCode: string;
  constructor(merchantCode: string) {
    super(`the registry has no merchant ${merchantCode}`);
    this.merchantCode = merchantCode;
  }
}

const MOST_LISTED = 10;

function listed(problems: readonly { path: string; reason: string }[]): string {
  const lines = problems.slice(0, MOST_LISTED).map(({ path, reason }) => `${path}: ${reason}`);
  const more = problems.length - lines.length;
  if (more > 0) lines.push(`and ${more} more`);
  return lines.join('; ');
}

/** An owner, with the defaults, is not as docs/registry.md says. Names ten wrong members at most. */
abstract class InvalidOwnerError extends NoSettingsError {
  /** `reportAt` of the entry, or `defaults.reportAt`. */
  readonly path: string;
  constructor(whose: string, problems: readonly { path: string; reason: string }[]) {
    super(`the registry's ${whose} is not usable: ${listed(problems)}`);
    this.path = problems[0]?.path ?? '(root)';
  }
}

export class InvalidMerchantError extends InvalidOwnerError {
  override readonly name = 'InvalidMerchantError';
  readonly merchantCode: string;
  constructor(merchantCode: string, problems: readonly { path: string; reason: string }[]) {
    super(`entry of merchant ${merchantCode}`, problems);
    this.merchantCode = merchantCode;
  }
}

export class UnknownGroupError extends NoSettingsError {
  override readonly name = 'UnknownGroupError';
  readonly group: string;
  constructor(group: string) {
    super(`the registry has no group ${group}`);
    this.group = group;
  }
}

export class InvalidGroupError extends InvalidOwnerError {
  override readonly name = 'InvalidGroupError';
  readonly group: string;
  constructor(group: string, problems: readonly { path: string; reason: string }[]) {
    super(`group ${group}`, problems);
    this.group = group;
  }
}
