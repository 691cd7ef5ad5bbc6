import { NothingSealedError } from '#domain/errors/nothing-sealed-error.ts';
import { periodDays } from '#domain/period/period.ts';
import type { Period } from '#domain/period/period.ts';
import { composeGroup } from '#domain/statement/compose-group.ts';
import { groupPageSchema } from '#domain/statement/group-page.ts';
import type { GroupPage } from '#domain/statement/group-page.ts';
import { statementKey, statementLedgerKey } from '#domain/storage/statement-keys.ts';
import type { Dependencies } from '../dependencies.ts';
import { sealNext } from '../seal-next.ts';
import type { SealedPage } from '../seal-next.ts';
import { correctionsSince } from './corrections.ts';
import { showsOnlyMembers } from './group-members.ts';
import type { GroupMembers } from './group-members.ts';
import { knownCurrencies, newestRevisions, readMembers } from './read-members.ts';

/** The page to make. */
export interface GroupRequest extends GroupMembers {
  group: string;
  period: Period;
  scheduledTime: string | null;
}

type Ports = Pick<
  Dependencies,
  'snapshots' | 'sealedDays' | 'addedStatements' | 'groupPages' | 'ledgers' | 'clock' | 'telemetry'
>;

/**
 * Adds up the newest pages of the group's merchants, and seals the sum as the next revision, or finds it unchanged. Ticks
 * make a page once: a run that comes again later, or for another tick, takes the page of the tick before. The page of a
 * preview is often made before everybody has a page, and is made again.
 *
 * @param store whether to store it; `false` for a dry run
 * @throws {NothingSealedError} when no merchant has a page
 * @throws {SealContestedError} when other runs took the number three times
 */
export async function sealGroup(
  ports: Ports,
  request: GroupRequest,
  store: boolean,
): Promise<SealedPage<GroupPage>> {
  const { group, period, scheduledTime, merchants } = request;
  const owner = { group };
  return sealNext(ports.groupPages, { owner, period, store }, async (newest) => {
    if (newest !== undefined && scheduledTime !== null && (await isSettled(ports, request, newest))) {
      return newest;
    }
    const revisions = await newestRevisions(ports, period);
    const { members, missing } = await readMembers(
      ports,
      period,
      merchants,
      revisions,
      knownCurrencies(newest),
    );
    if (members.length === 0) {
      throw new NothingSealedError(
        `group ${group}, period ${period}: no merchant has a page, so there is nothing to add up`,
      );
    }
    const days = periodDays(period, 'monday');
    const corrections = await correctionsSince(ports, { group, period }, merchants);
    const allMissing = [...missing, ...leftOut(request)];
    const content = composeGroup({ group, period, ...days }, members, allMissing, corrections);
    if (newest?.digest === content.digest && showsOnlyMembers(newest, request)) return newest;
    const revision = (newest?.revision ?? 0) + 1;
    // Parsed, so that nothing is sealed that could not be read again.
    return groupPageSchema.parse({
      ...content,
      revision,
      sealedAt: new Date(ports.clock.now()).toISOString(),
      scheduledTime,
      previous: newest === undefined ? null : statementKey({ owner, period, revision: newest.revision }),
    });
  });
}

/**
 * Whether a tick takes this page as it is: a tick has made it, or its mail has begun, and it shows nobody who is not in the
 * group any more.
 */
async function isSettled({ ledgers }: Ports, request: GroupRequest, page: GroupPage): Promise<boolean> {
  const { group, period, revision } = page;
  if (!showsOnlyMembers(page, request)) return false;
  // Without a look at the ledger: a run that made the page had no time left for its mail, and has it now.
  if (page.scheduledTime !== null) return true;
  const ledger = await ledgers.read(statementLedgerKey({ owner: { group }, period, revision }));
  return ledger !== undefined;
}

/** The merchants of the group that cannot have a page, because the registry does not say who they are. */
function leftOut({ unknown, unusable }: GroupRequest): GroupPage['missing'] {
  const because = (reason: 'not-in-registry' | 'not-usable') => (merchantCode: string) => {
    return { merchantCode, name: null, reason };
  };
  return [...unusable.map(because('not-usable')), ...unknown.map(because('not-in-registry'))];
}
