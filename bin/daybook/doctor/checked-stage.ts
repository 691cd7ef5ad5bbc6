import { allMerchants } from '#domain/registry/merchants.ts';
import type { Rejection } from '#domain/registry/problem.ts';
import { RegistryError } from '#domain/registry/registry-errors.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import type { Registry } from '#domain/registry/registry.ts';
import { S3RegistrySource } from '#registry/s3-registry-source.ts';
import type { Stage } from '../stage/stage.ts';
import { createDoctorClients } from './doctor-clients.ts';
import type { DoctorClients } from './doctor-clients.ts';
import { CannotLookError } from './finding.ts';

/** The registry as the functions read it. */
export interface ReadRegistry {
  registry: Registry;
  /** Why the last good one is used instead, `null` when it is not. */
  alarm: string | null;
  merchants: readonly MerchantSettings[];
  rejected: readonly Rejection[];
}

/** The stage that is checked, and what the checks share. */
export interface CheckedStage {
  stage: Stage;
  /** Milliseconds UTC. */
  now: () => number;
  clients: DoctorClients;
  /** DNS servers to ask, as addresses with or without a port. Empty: those of this machine. */
  dnsServers: readonly string[];
  /** Read once. @throws {RegistryError} when it cannot be used */
  registry: () => Promise<ReadRegistry>;
  /** The same, for a check that is about something else. @throws {CannotLookError} when it cannot be used */
  usableRegistry: () => Promise<ReadRegistry>;
}

/** Reads nothing yet. @param now milliseconds UTC */
export function createCheckedStage(
  stage: Stage,
  now: () => number,
  dnsServers: readonly string[],
): CheckedStage {
  let read: Promise<ReadRegistry> | undefined;
  const registry = () => (read ??= readRegistry(stage));
  return {
    stage,
    now,
    clients: createDoctorClients(stage.isLocal),
    dnsServers,
    registry,
    usableRegistry: async () => {
      try {
        return await registry();
      } catch (error) {
        if (error instanceof RegistryError)
          throw new CannotLookError('the registry cannot be used', { cause: error });
        throw error;
      }
    },
  };
}

async function readRegistry(stage: Stage): Promise<ReadRegistry> {
  const source = new S3RegistrySource(stage.s3(), stage.bucket, stage.registryKey);
  const { registry, alarm } = await source.load();
  return { registry, alarm, ...allMerchants(registry) };
}
