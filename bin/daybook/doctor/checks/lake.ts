import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { addDays } from '#records/day/business-day.ts';
import { pageInKey } from '#records/storage/keys.ts';
import { readLakeOutputs } from '../../stage/stage.ts';
import { CannotLookError, fine, unknown, warning, wrong } from '../check.ts';
import type { Check, CheckedAccount } from '../check.ts';
import { GetDataLakeSettingsCommand, LakeFormationClient } from '@aws-sdk/client-lakeformation';
import type { PrincipalPermissions } from '@aws-sdk/client-lakeformation';

/**
 * The account's settings of Lake Formation. The lake has rights of IAM alone. In a new account these are enough. Where Lake
 * Formation decides, neither the function `lake` nor an analyst can use what a deploy creates.
 */
export const lakeFormation: Check<CheckedAccount> = {
  name: 'Lake Formation',
  looksAt: () => 'who decides on new databases and tables',
  look: async ({ stage, client }) => {
    const read = await client(LakeFormationClient).send(new GetDataLakeSettingsCommand({}));
    const { DataLakeSettings: settings = {} } = read;
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

/** Keys of a listing. The first one counts. The others are for objects that somebody put there by hand. */
const KEYS = 100;

/** The first day of the lake's tables: a later day hides sealed days. */
export const lake: Check = {
  name: 'Lake',
  looksAt: () => 'lake.firstDay',
  look: async ({ stage }) => {
    const deploy = stage.lines.cdk('deploy', '--all');
    const outputs = await readLakeOutputs(stage.name);
    if (outputs === undefined) {
      if (stage.isLocal) throw new CannotLookError('the local run has no lake');
      return [unknown('the stack Lake is not deployed: there is no lake', deploy)];
    }
    const { firstDay } = outputs;
    if (firstDay === undefined)
      return [unknown(`the stack ${outputs.stack} does not say its first day`, deploy)];
    // S3 lists keys in order, and a day's name sorts as the day does.
    const { Contents: objects = [], IsTruncated: isCut = false } = await stage
      .s3()
      .send(new ListObjectsV2Command({ Bucket: stage.bucket, Prefix: 'days/day=', MaxKeys: KEYS }));
    const [sealed] = objects.flatMap(({ Key = '' }) => pageInKey(Key)?.period ?? []);
    if (sealed === undefined && isCut)
      throw new CannotLookError(
        `the first ${KEYS} objects of s3://${stage.bucket}/days/day=… are not Daybook's: remove them, and look again`,
      );
    if (sealed === undefined) return [fine(`it is ${firstDay}, and nothing is sealed yet`)];
    if (sealed >= firstDay) return [fine(`it is ${firstDay}, the first sealed day is ${sealed}`)];
    const input = JSON.stringify({ from: sealed, to: addDays(firstDay, -1) });
    const load = stage.lines.daybook('invoke', 'lake', input);
    const set = `set lake.firstDay to "${sealed}" in the stage's settings`;
    return [
      wrong(
        `it is ${firstDay}, but the first sealed day is ${sealed}: the tables of the lake do not have the days before ${firstDay}`,
        `${set}; ${deploy}; if lake.history is true, then load these days: ${load}`,
      ),
    ];
  },
};
