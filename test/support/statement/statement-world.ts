import { daysOf, periodDays, type Period } from '#records/period/period.ts';
import { ledgerSchema, type Ledger } from '#records/ledger/ledger.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { groupPageSchema, type GroupPage } from '#page/figures/group-page.ts';
import { statementSchema, type Statement } from '#page/figures/statement.ts';
import { manifestKey, pageKey, pageLedgerKey } from '#records/storage/keys.ts';
import { paymentsOf } from '#support/records/records.ts';
import { placedManifest } from '#support/records/manifests.ts';
import { BUCKET, CODE, type DaybookWorld } from '#support/world/daybook-world.ts';

/** Seals a day without its rows. @param changes any members of its manifest */
export async function sealPage(world: DaybookWorld, changes: Partial<Manifest>): Promise<Manifest> {
  const placed = placedManifest({ pulledAt: new Date(world.clock.now()).toISOString(), ...changes });
  const manifest = changes.received === undefined ? { ...placed, ...paymentsOf(placed) } : placed;
  const { day, merchantCode, revision } = manifest;
  await world.aws.s3.write(BUCKET, manifestKey(day, merchantCode, revision), JSON.stringify(manifest));
  return manifest;
}

/** Seals every day of a period, except some. */
export async function sealPeriod(
  world: DaybookWorld,
  period: Period,
  { merchantCode = CODE, except = [] }: { merchantCode?: string; except?: readonly string[] } = {},
): Promise<Manifest[]> {
  const days = daysOf(periodDays(period, 'sunday')).filter((day) => !except.includes(day));
  return Promise.all(days.map((day) => sealPage(world, { merchantCode, day })));
}

export async function statementAt(
  world: DaybookWorld,
  period: Period,
  revision: number,
  merchantCode = CODE,
): Promise<Statement> {
  const key = pageKey({ owner: { merchantCode }, period, revision });
  return statementSchema.parse(JSON.parse(await world.text(key)));
}

export async function groupPageAt(
  world: DaybookWorld,
  period: Period,
  revision: number,
  group: string,
): Promise<GroupPage> {
  const key = pageKey({ owner: { group }, period, revision });
  return groupPageSchema.parse(JSON.parse(await world.text(key)));
}

export async function statementLedger(
  world: DaybookWorld,
  period: Period,
  revision: number,
  merchantCode = CODE,
): Promise<Ledger> {
  const key = pageLedgerKey({ owner: { merchantCode }, period, revision });
  return ledgerSchema.parse(JSON.parse(await world.text(key)));
}
