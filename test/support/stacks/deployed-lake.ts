import type { DeployedNames } from './iam-evaluator.ts';

/** The ARN of the data bucket in evaluated policies. */
export const DATA = 'arn:aws:s3:::the-data';
/** The ARN of the bucket of query results. */
export const RESULTS = 'arn:aws:s3:::the-results';

const ACCOUNT = '111122223333';
const REGION = 'eu-central-1';

/** The names of a deployed stage, for the evaluated policies of its lake. */
export const NAMES: DeployedNames = {
  account: ACCOUNT,
  region: REGION,
  of: (reference) => {
    if (/^ResultsBucket\w+\.Arn$/.test(reference)) return RESULTS;
    if (/Bucket\w*Arn/.test(reference)) return DATA;
    if (/Key\w*Arn/.test(reference)) return `arn:aws:kms:${REGION}:${ACCOUNT}:key/the-key`;
    throw new Error(`${reference}: is not known`);
  },
};

/** The ARN of an object of the data bucket. */
export function dataObject(key: string): string {
  return `${DATA}/${key}`;
}

/** The ARN of a resource of the catalogue. @param resource such as `table/daybook_dev/days` */
export function glueArn(resource: string): string {
  return `arn:aws:glue:${REGION}:${ACCOUNT}:${resource}`;
}

/** The ARN of a workgroup. */
export function workGroupArn(name: string): string {
  return `arn:aws:athena:${REGION}:${ACCOUNT}:workgroup/${name}`;
}
