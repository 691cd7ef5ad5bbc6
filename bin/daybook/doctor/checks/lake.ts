import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { addDays } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { dayInKey, pageInKey, pageInLedgerKey } from '#records/storage/keys.ts';
import { readLakeOutputs } from '../../stage/stage.ts';
import type { Stage, Lines } from '../../stage/stage.ts';
import { CannotLookError, fine, unknown, warning, wrong } from '../check.ts';
import type { Check, CheckedAccount, Finding, CheckedStage } from '../check.ts';
import { GetDataLakeSettingsCommand } from '@aws-sdk/client-lakeformation';
import type { PrincipalPermissions } from '@aws-sdk/client-lakeformation';

/**
 * The account's settings of Lake Formation. The lake has rights of IAM alone. In a new account these are enough. Where Lake
 * Formation decides, neither the function `lake` nor an analyst can use what a deploy creates.
 */
export const lakeFormation: Check<CheckedAccount> = {
  name: 'Lake Formation',
  looksAt: () => 'who decides on new databases and tables',
  look: async ({ stage, clients }) => {
    const { DataLakeSettings: settings = {} } = await clients
      .lakeFormation()
      .send(new GetDataLakeSettingsCommand({}));
    const guarded = [
      ...(isLeftToIam(settings.CreateDatabaseDefaultPermissions) ? [] : ['databases']),
      ...(isLeftToIam(settings.CreateTableDefaultPermissions) ? [] : ['tables']),
    ];
    if (guarded.length === 0) return [fine('it leaves new databases and tables to IAM')];
    return [
      warning(
        `it, and not IAM, decides who may use new ${guarded.join(' and ')}: it keeps analysts and the function lake from the tables that a deploy or the function makes`,
        `open Lake Formation in the AWS console, "Data Catalog settings", and tick both boxes "Use only IAM access control" before you deploy the stack Lake; if Daybook-${stage.name}-Lake was deployed without them, grant "Super" on its database and tables to the group IAMAllowedPrincipals`,
      ),
    ];
  },
};

/** The only other value that AWS allows is an empty list. */
function isLeftToIam(permissions: readonly PrincipalPermissions[] = []): boolean {
  return permissions.some(
    ({ Principal }) => Principal?.DataLakePrincipalIdentifier === 'IAM_ALLOWED_PRINCIPALS',
  );
}

/** Days without data that the tables may begin with. */
const MOST_EMPTY = 31;
/** Keys of a listing. The first one counts. The others are for objects that somebody put there by hand. */
const KEYS = 100;
/** Trino lists a day without objects twice. */
const LISTS_A_DAY = 2;
const DAY_LENGTH = 86_400_000;

/** The first day of the lake's tables. A later day hides sealed days, and an earlier day costs requests. */
export const lake: Check = {
  name: 'Lake',
  looksAt: () => 'lake.firstDay',
  look: async ({ stage }: CheckedStage) => {
    const deploy = stage.lines.cdk('deploy', '--all');
    const outputs = await readLakeOutputs(stage.name);
    if (outputs === undefined) {
      if (stage.isLocal) throw new CannotLookError('the local run has no lake');
      return [unknown('the stack Lake is not deployed: there is no lake', deploy)];
    }
    const { firstDay } = outputs;
    if (firstDay === undefined) {
      return [unknown(`the stack ${outputs.stack} does not say its first day`, deploy)];
    }
    const sealed = await firstDayBelow(stage, 'days/day=', (key) => pageInKey(key) !== undefined);
    if (sealed === undefined) return [fine(`it is ${firstDay}, and nothing is sealed yet`)];
    if (sealed < firstDay) return [hiddenDays(stage.lines, firstDay, sealed)];
    const found = `it is ${firstDay}, the first sealed day is ${sealed}`;
    if (daysBetween(firstDay, sealed) <= MOST_EMPTY) return [fine(found)];
    // Ledgers may be kept for longer than manifests, and the table of mails has the same first day.
    const mailed = await firstDayBelow(stage, 'mail/day=', (key) => pageInLedgerKey(key) !== undefined);
    const first = mailed !== undefined && mailed < sealed ? mailed : sealed;
    const empty = daysBetween(firstDay, first);
    return [empty > MOST_EMPTY ? emptyDays(firstDay, first, empty, deploy) : fine(found)];
  },
};

function hiddenDays(lines: Lines, firstDay: Day, sealed: Day): Finding {
  const input = JSON.stringify({ from: sealed, to: addDays(firstDay, -1) });
  const load = lines.daybook('invoke', 'lake', input);
  return wrong(
    `it is ${firstDay}, but the first sealed day is ${sealed}: the tables of the lake do not have the days before ${firstDay}`,
    `${setTo(sealed)}; ${lines.cdk('deploy', '--all')}; if lake.history is true, then load these days: ${load}`,
  );
}

function emptyDays(firstDay: Day, first: Day, empty: number, deploy: string): Finding {
  const requests = (empty * LISTS_A_DAY).toLocaleString('en');
  return warning(
    `it is ${firstDay}, ${empty.toLocaleString('en')} days before the first day with data (${first}): each query without a condition on day makes up to ${requests} needless LIST requests a table`,
    `if you will not backfill older days: ${setTo(first)}; ${deploy}`,
  );
}

function setTo(day: Day): string {
  return `set lake.firstDay to "${day}" in the stage's settings`;
}

function daysBetween(from: Day, to: Day): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_LENGTH;
}

/**
 * The day of the first key that counts. S3 lists keys in order, and a day's name sorts as the day does: one request is
 * enough.
 *
 * @returns `undefined` when there is none
 * @throws {CannotLookError} when too many other objects come first
 */
async function firstDayBelow(
  stage: Stage,
  prefix: string,
  counts: (key: string) => boolean,
): Promise<Day | undefined> {
  const { Contents = [], IsTruncated = false } = await stage
    .s3()
    .send(new ListObjectsV2Command({ Bucket: stage.bucket, Prefix: prefix, MaxKeys: KEYS }));
  const key = Contents.map(({ Key = '' }) => Key).find(counts);
  if (key !== undefined) return dayInKey(key);
  if (!IsTruncated) return undefined;
  throw new CannotLookError(
    `the first ${KEYS} objects of s3://${stage.bucket}/${prefix}… are not Daybook's: remove them, and look again`,
  );
}
