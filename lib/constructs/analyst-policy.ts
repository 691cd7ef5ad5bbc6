import { CfnElement, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { ELSEWHERE, acknowledgeStar } from '../checks.ts';

export interface AnalystPolicyProps {
  databaseName: string;
  workGroupName: string;
  dataBucket: s3.IBucket;
  dataKey: kms.IKey;
  results: s3.IBucket;
  /** Tables and views. */
  tables: readonly string[];
  /** Beginnings of the tables' keys. Keys that tables read continue with `day=`. */
  prefixes: readonly string[];
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

/** The rights that a person needs to query the lake through its workgroup. No registry, no alert states, no secrets. */
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
    const { databaseName, tables } = this.#props;
    const stack = Stack.of(this);
    const arn = (resource: string, resourceName?: string) =>
      stack.formatArn({ service: 'glue', resource, ...(resourceName !== undefined && { resourceName }) });
    return new iam.PolicyStatement({
      sid: 'ReadTheCatalogue',
      actions: CATALOGUE,
      resources: [
        arn('catalog'),
        arn('database', databaseName),
        ...tables.map((table) => arn('table', `${databaseName}/${table}`)),
      ],
    });
  }

  #data(): iam.PolicyStatement[] {
    const { dataBucket, prefixes } = this.#props;
    return [
      new iam.PolicyStatement({
        sid: 'ReadTheData',
        actions: ['s3:GetObject'],
        resources: prefixes.map((prefix) => dataBucket.arnForObjects(`${prefix}day=*`)),
      }),
      new iam.PolicyStatement({
        sid: 'ListTheData',
        actions: ['s3:ListBucket'],
        resources: [dataBucket.bucketArn],
        conditions: { StringLike: { 's3:prefix': prefixes.map((prefix) => `${prefix}*`) } },
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
    const { prefixes, results } = this.#props;
    for (const prefix of prefixes) {
      acknowledgeStar(
        this.policy,
        `${ELSEWHERE}/${prefix}day=*`,
        'The rest of these keys names days, merchants and pulls.',
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
