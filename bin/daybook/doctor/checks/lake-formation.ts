import { GetDataLakeSettingsCommand } from '@aws-sdk/client-lakeformation';
import type { PrincipalPermissions } from '@aws-sdk/client-lakeformation';
import { fine, warning } from '../finding.ts';
import type { Check } from '../check.ts';
import type { CheckedStage } from '../checked-stage.ts';

/**
 * The account's settings of Lake Formation. The lake has rights of IAM alone. In a new account these are enough. Where Lake
 * Formation decides, neither the state machine of the history nor an analyst can use what a deploy creates.
 */
export const lakeFormation: Check = {
  name: 'Lake Formation',
  looksAt: () => 'who decides on new databases and tables',
  look: async ({ stage, clients }: CheckedStage) => {
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
        `it, and not IAM, decides who may use new ${guarded.join(' and ')}: the rights of the lake are not enough`,
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
