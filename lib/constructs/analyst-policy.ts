import { CfnElement, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { ELSEWHERE, acknowledgeStar } from '../checks.ts';
import {
  ANALYST_FOLDERS,
  ANALYST_TABLES,
  ANALYST_VIEWS,
  HISTORY_PREFIX,
} from '../lake/access/for-analysts.ts';

export interface AnalystPolicyProps {
  databaseName: string;
  workGroupName: string;
  dataBucket: s3.IBucket;
  dataKey: kms.IKey;
  results: s3.IBucket;
}

const WORK = [
  'athena:BatchGetNamedQuery',
  'athena:BatchGetQueryExecution',
  'athena:GetNamedQuery',
  'athena:GetQueryExecution',
  'athena:GetQueryResults',
  'athena:GetQueryResultsStream',
  'athena:GetWorkGroup',
  'athena:ListNamedQueries',
  'athena:ListQueryExecutions',
  'athena:StartQueryExecution',
  'athena:StopQueryExecution',
];
const CATALOGUE = ['glue:GetDatabase', 'glue:GetPartitions', 'glue:GetTable', 'glue:GetTables'];
/** Objects of the data bucket, with a star at the end. */
const READABLE = [...ANALYST_FOLDERS.map((folder) => `${folder}day=*`), `${HISTORY_PREFIX}*`];

/**
 * The rights that a person needs to query the whole lake through its workgroup. No ledgers of mails, no registry, no alert
 * states, no secrets: neither the objects nor their names.
 */
export class AnalystPolicy extends Construct {
  readonly policy: iam.ManagedPolicy;
  readonly #props: AnalystPolicyProps;

  constructor(scope: Construct, id: string, props: AnalystPolicyProps) {
    super(scope, id);
    this.#props = props;
    const { dataKey } = props;
    this.policy = new iam.ManagedPolicy(this, 'Policy', {
      description: `Queries on the lake ${props.databaseName}`,
      statements: [
        this.#workGroup(),
        this.#catalogue(),
        ...this.#data(),
        ...this.#results(),
        new iam.PolicyStatement({
          sid: 'UseTheKey',
          actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
          resources: [dataKey.keyArn],
        }),
      ],
    });
    this.#acknowledgeStars();
  }

  #workGroup(): iam.PolicyStatement {
    const { workGroupName } = this.#props;
    const resource = Stack.of(this).formatArn({
      service: 'athena',
      resource: 'workgroup',
      resourceName: workGroupName,
    });
    return new iam.PolicyStatement({ sid: 'UseTheWorkgroup', actions: WORK, resources: [resource] });
  }

  #catalogue(): iam.PolicyStatement {
    const { databaseName } = this.#props;
    const stack = Stack.of(this);
    const arn = (resource: string, resourceName?: string) =>
      stack.formatArn({ service: 'glue', resource, ...(resourceName !== undefined && { resourceName }) });
    return new iam.PolicyStatement({
      sid: 'ReadTheCatalogue',
      actions: CATALOGUE,
      resources: [
        arn('catalog'),
        arn('database', databaseName),
        ...[...ANALYST_TABLES, ...ANALYST_VIEWS].map((table) => arn('table', `${databaseName}/${table}`)),
      ],
    });
  }

  #data(): iam.PolicyStatement[] {
    const { dataBucket } = this.#props;
    return [
      new iam.PolicyStatement({
        sid: 'ReadTheData',
        actions: ['s3:GetObject'],
        resources: READABLE.map((keys) => dataBucket.arnForObjects(keys)),
      }),
      new iam.PolicyStatement({
        sid: 'ListTheData',
        actions: ['s3:ListBucket'],
        resources: [dataBucket.bucketArn],
        conditions: {
          StringLike: { 's3:prefix': [...ANALYST_FOLDERS, HISTORY_PREFIX].map((prefix) => `${prefix}*`) },
        },
      }),
      new iam.PolicyStatement({
        sid: 'FindTheData',
        actions: ['s3:GetBucketLocation'],
        resources: [dataBucket.bucketArn],
      }),
    ];
  }

  #results(): iam.PolicyStatement[] {
    const { results } = this.#props;
    return [
      new iam.PolicyStatement({
        sid: 'KeepAnswers',
        actions: ['s3:AbortMultipartUpload', 's3:GetObject', 's3:ListMultipartUploadParts', 's3:PutObject'],
        resources: [results.arnForObjects('*')],
      }),
      new iam.PolicyStatement({
        sid: 'FindAnswers',
        actions: ['s3:GetBucketLocation', 's3:ListBucket', 's3:ListBucketMultipartUploads'],
        resources: [results.bucketArn],
      }),
    ];
  }

  /** The stars of the statements, each with its reason. */
  #acknowledgeStars(): void {
    const { results } = this.#props;
    for (const keys of READABLE) {
      acknowledgeStar(
        this.policy,
        `${ELSEWHERE}/${keys}`,
        'The rest of these keys names days, merchants and pulls, or files of the history.',
      );
    }
    const bucket = results.node.defaultChild;
    if (!CfnElement.isCfnElement(bucket)) return;
    acknowledgeStar(
      this.policy,
      `<${Stack.of(this).getLogicalId(bucket)}.Arn>/*`,
      'Athena names answers after the execution of the query.',
    );
  }
}
