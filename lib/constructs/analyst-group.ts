import { Stack } from 'aws-cdk-lib';
import type { RemovalPolicy } from 'aws-cdk-lib';
import * as glue from 'aws-cdk-lib/aws-glue';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import {
  groupAnswers,
  groupDatabase,
  groupPrefix,
  groupTables,
  groupWorkGroup,
} from '../lake/groups/index.ts';
import type { LakeGroup } from '../lake/groups/index.ts';
import { AnalystPolicy } from './analyst-policy.ts';
import { createWorkGroup } from './work-group.ts';

export interface AnalystGroupProps {
  group: LakeGroup;
  /** The database of the lake. */
  databaseName: string;
  /** The most that one query may read, bytes. */
  scanLimitBytes: number;
  dataBucket: s3.IBucket;
  dataKey: kms.IKey;
  results: s3.IBucket;
  removalPolicy: RemovalPolicy;
}

/** How complete the history is. It has figures of the whole stage, and none of a merchant. */
const STATE = 'history_state';

/**
 * What a group of analysts has: a database for its copy of the history, a workgroup whose answers others cannot read, and the policy for
 * its people. The state machine of the lake makes the tables.
 */
export class AnalystGroup extends Construct {
  readonly database: glue.CfnDatabase;
  readonly policy: AnalystPolicy;

  constructor(scope: Construct, id: string, props: AnalystGroupProps) {
    super(scope, id);
    const { group, databaseName, scanLimitBytes, dataBucket, dataKey, results, removalPolicy } = props;
    const name = groupDatabase(databaseName, group);
    const workGroupName = groupWorkGroup(databaseName, group);
    const answers = groupAnswers(group);
    this.database = new glue.CfnDatabase(this, 'Database', {
      catalogId: Stack.of(this).account,
      databaseInput: { name, description: `What the group ${group.name} may see of Daybook's history` },
    });
    createWorkGroup(this, 'WorkGroup', {
      name: workGroupName,
      description: `Queries of the group ${group.name} on its copy of Daybook's history`,
      scanLimitBytes,
      results,
      answers,
      key: dataKey,
      removalPolicy,
    });
    this.policy = new AnalystPolicy(this, 'Analysts', {
      description: `Queries of the group ${group.name} on its copy of the history of ${databaseName}`,
      workGroupName,
      catalogue: {
        [name]: Object.values(groupTables(databaseName, group)).map(({ short }) => short),
        [databaseName]: [STATE],
      },
      dataBucket,
      dataKey,
      objects: [`${groupPrefix(group)}*`],
      folders: [groupPrefix(group)],
      results,
      answers,
    });
  }
}
