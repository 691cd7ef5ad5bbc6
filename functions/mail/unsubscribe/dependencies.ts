import { linkKeysOf } from '#links/link-keys.ts';
import type { LinkKeys } from '#links/link-keys.ts';
import type { Environment } from '#registry/environment.ts';
import { EnvironmentError } from '#registry/environment.ts';
import { RegistrySource } from '#registry/registry-source.ts';
import { buildFunctionDependencies } from '../function-dependencies.ts';
import type { FunctionDependencies } from '../function-dependencies.ts';
import { MailStops } from '../mail-stops.ts';

export interface Dependencies extends FunctionDependencies {
  stops: MailStops;
  keys: LinkKeys;
  registry: RegistrySource;
}

/** @throws {EnvironmentError} when the key of links is not named */
export function buildDependencies(environment: Environment): Dependencies {
  const { data, links, registry } = environment;
  if (links.secret === undefined) throw new EnvironmentError('environment variable LINKS_SECRET is missing');
  const { s3, ...shared } = buildFunctionDependencies(environment, 'unsubscribe');
  return {
    ...shared,
    stops: new MailStops(s3, data.bucket),
    keys: linkKeysOf(links.secret),
    registry: new RegistrySource(s3, data.bucket, registry.key),
  };
}
