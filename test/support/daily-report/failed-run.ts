import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { checkRecordSchema, type CheckRecord } from '#records/revision/check-record.ts';
import type { Operation } from '#sandbox/payments/index.ts';
import { CODE, DAY, type DaybookWorld } from '../world/daybook-world.ts';

export { failureOf } from '../payments/running-service.ts';

/** Keys that only a sealed day or its mail has. */
export function doneKeys(world: DaybookWorld, merchantCode = CODE): string[] {
  return world
    .keys()
    .filter(
      (key) => /^(days|invoices|refunds|mail)\//.test(key) && key.includes(`merchant=${merchantCode}/`),
    );
}

/** How many requests of this operation the service got. */
export function requestsOf({ payments }: DaybookWorld, operation: Operation): number {
  return payments.requests.filter((request) => request.operation === operation).length;
}

/** The spools of this process that nobody has removed. */
export async function spoolsLeft(): Promise<string[]> {
  const names = await readdir(tmpdir());
  return names.filter((name) => name.startsWith(`daybook-spool-${process.pid}.`));
}

/** Nothing sealed, nothing mailed, nothing left on the disk. */
export async function expectNothingDone(world: DaybookWorld): Promise<void> {
  expect(doneKeys(world)).toEqual([]);
  expect(world.sendRequests()).toBe(0);
  expect(await spoolsLeft()).toEqual([]);
}

export async function checkRecord(world: DaybookWorld, merchantCode = CODE, day = DAY): Promise<CheckRecord> {
  return checkRecordSchema.parse(
    JSON.parse(await world.text(`checked/day=${day}/merchant=${merchantCode}.json`)),
  );
}
