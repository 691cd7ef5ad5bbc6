import { CfnElement, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { ELSEWHERE, acknowledgeStar } from '../checks.ts';
import type { AnswerFolder } from '../lake/access/answers.ts';

export interface AnalystPolicyProps {
  description: string;
  workGroupName: string;
  /** Tables and views by the names of their databases. */
  catalogue: Readonly<Record<string, readonly string[]>>;
  dataBucket: s3.IBucket;
  dataKey: kms.IKey;
  /** Keys of the data bucket that may be read. The star at the end stands for any text. */
  objects: readonly `${string}*`[];
  /** Beginnings of keys that may be listed. */
  folders: readonly string[];
  results: s3.IBucket;
  /** The folder of the workgroup's answers. Its people may reach no other folder of the bucket. */
  answers: AnswerFolder;
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

/**
 * The rights that a person needs to query some tables through one workgroup. Of other objects, such as the registry, ledgers of
 * mails, alert states and secrets, it allows neither to read them nor to list their names.
 */
export class AnalystPolicy extends Construct {
  readonly policy: iam.ManagedPolicy;
  readonly #props: AnalystPolicyProps;

  constructor(scope: Construct, id: string, props: AnalystPolicyProps) {
    super(scope, id);
    this.#props = props;
    const { dataKey, description } = props;
    this.policy = new iam.ManagedPolicy(this, 'Policy', {
      description,
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
    const stack = Stack.of(this);
    const arn = (resource: string, resourceName?: string) =>
      stack.formatArn({ service: 'glue', resource, ...(resourceName !== undefined && { resourceName }) });
    return new iam.PolicyStatement({
      sid: 'ReadTheCatalogue',
      actions: CATALOGUE,
      resources: [
        arn('catalog'),
        ...Object.entries(this.#props.catalogue).flatMap(([database, tables]) => [
          arn('database', database),
          ...tables.map((table) => arn('table', `${database}/${table}`)),
        ]),
      ],
    });
  }

  #data(): iam.PolicyStatement[] {
    const { dataBucket, objects, folders } = this.#props;
    return [
      new iam.PolicyStatement({
        sid: 'ReadTheData',
        actions: ['s3:GetObject'],
        resources: objects.map((keys) => dataBucket.arnForObjects(keys)),
      }),
      new iam.PolicyStatement({
        sid: 'ListTheData',
        actions: ['s3:ListBucket'],
        resources: [dataBucket.bucketArn],
        conditions: { StringLike: { 's3:prefix': folders.map((folder) => `${folder}*`) } },
      }),
      new iam.PolicyStatement({
        sid: 'FindTheData',
        actions: ['s3:GetBucketLocation'],
        resources: [dataBucket.bucketArn],
      }),
    ];
  }

  #results(): iam.PolicyStatement[] {
    const { results, answers } = this.#props;
    return [
      new iam.PolicyStatement({
        sid: 'KeepAnswers',
        actions: ['s3:AbortMultipartUpload', 's3:GetObject', 's3:ListMultipartUploadParts', 's3:PutObject'],
        resources: [results.arnForObjects(`${answers}*`)],
      }),
      new iam.PolicyStatement({
        sid: 'ListAnswers',
        actions: ['s3:ListBucket'],
        resources: [results.bucketArn],
        conditions: { StringLike: { 's3:prefix': `${answers}*` } },
      }),
      new iam.PolicyStatement({
        sid: 'FindAnswers',
        actions: ['s3:GetBucketLocation', 's3:ListBucketMultipartUploads'],
        resources: [results.bucketArn],
      }),
    ];
  }

  /** The stars of the statements, each with its reason. */
  #acknowledgeStars(): void {
    const { objects, results, answers } = this.#props;
    for (const keys of objects) {
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
      `<${Stack.of(this).getLogicalId(bucket)}.Arn>/${answers}*`,
      'Athena names answers after the execution of the query.',
    );
  }
}
