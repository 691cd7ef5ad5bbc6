import { jsonAnswer } from '../service.ts';
import { restJsonService } from '../json-target.ts';
import type { Service } from '../service.ts';

/** The account's settings of Lake Formation. */
export interface LakeSettings {
  /** Whether IAM alone decides who may use what is created from now on. A new account of AWS has both. */
  iamOnly: { databases: boolean; tables: boolean };
}

const EVERYBODY = [
  { Principal: { DataLakePrincipalIdentifier: 'IAM_ALLOWED_PRINCIPALS' }, Permissions: ['ALL'] },
];

/** Lake Formation, but only GetDataLakeSettings. */
export function lakeFormationService(settings: LakeSettings): Service {
  return restJsonService('lakeFormation', [
    {
      operation: 'GetDataLakeSettings',
      method: 'POST',
      path: /^\/GetDataLakeSettings$/,
      perform: () =>
        jsonAnswer({
          DataLakeSettings: {
            DataLakeAdmins: [],
            CreateDatabaseDefaultPermissions: settings.iamOnly.databases ? EVERYBODY : [],
            CreateTableDefaultPermissions: settings.iamOnly.tables ? EVERYBODY : [],
          },
        }),
    },
  ]);
}
