import {
  CloudFormationClient,
  CreateStackCommand,
  DescribeStackEventsCommand,
  DescribeStacksCommand,
  ListStackResourcesCommand,
} from '@aws-sdk/client-cloudformation';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import * as z from 'zod';
import { optionsOf } from './clients.ts';

const execute = promisify(execFile);

/** The outputs of each stack, by its name. */
type Outputs = Record<string, Record<string, string>>;

const ASSETS = 'assets';
/** What LocalStack calls a resource that it has left out. */
const LEFT_OUT = 'unknown';

const assetsSchema = z.object({
  files: z.record(
    z.string(),
    z.object({
      source: z.object({ path: z.string(), packaging: z.enum(['zip', 'file']) }),
      destinations: z.record(z.string(), z.object({ objectKey: z.string() })),
    }),
  ),
});

const stackOutputSchema = z.object({
  'Fn::GetStackOutput': z.object({ StackName: z.string(), OutputName: z.string() }),
});

/** The template with the values of other stacks' outputs: LocalStack has no `Fn::GetStackOutput`. */
function withOutputs(template: unknown, outputs: Outputs): unknown {
  if (Array.isArray(template)) return template.map((part: unknown) => withOutputs(part, outputs));
  if (typeof template !== 'object' || template === null) return template;
  const reference = stackOutputSchema.safeParse(template).data?.['Fn::GetStackOutput'];
  if (reference === undefined)
    return Object.fromEntries(
      Object.entries(template).map(([name, part]) => [name, withOutputs(part, outputs)]),
    );
  const { StackName, OutputName } = reference;
  const value = outputs[StackName]?.[OutputName];
  if (value === undefined) throw new Error(`the stack ${StackName} has no output ${OutputName}`);
  return value;
}

export interface DeploymentOptions {
  /** Of LocalStack. */
  url: string;
  /** A Python, which makes the archives of assets. */
  python: string;
  /** The folder that a synth wrote, with `assets` as the name of the bucket of assets. */
  assembly: string;
}

/** Deploys stacks that were synthesised into LocalStack, one after the other. */
export class Deployment {
  readonly #options: DeploymentOptions;
  readonly #outputs: Outputs = {};
  readonly #s3: S3Client;
  readonly #cloudFormation: CloudFormationClient;

  constructor(options: DeploymentOptions) {
    this.#options = options;
    this.#s3 = new S3Client({ ...optionsOf(options.url), forcePathStyle: true });
    this.#cloudFormation = new CloudFormationClient(optionsOf(options.url));
  }

  /** @throws {Error} when a stack is not complete, or LocalStack left a resource out */
  async deploy(names: readonly string[]): Promise<Outputs> {
    await this.#s3.send(new CreateBucketCommand({ Bucket: ASSETS }));
    for (const name of names) {
      await this.#upload(name);
      await this.#create(name);
    }
    return this.#outputs;
  }

  async #upload(name: string): Promise<void> {
    const { files } = assetsSchema.parse(await this.#read(`${name}.assets.json`));
    for (const { source, destinations } of Object.values(files)) {
      const Body = await this.#contentOf(source.path, source.packaging);
      for (const { objectKey } of Object.values(destinations))
        await this.#s3.send(new PutObjectCommand({ Bucket: ASSETS, Key: objectKey, Body }));
    }
  }

  async #create(name: string): Promise<void> {
    const template = withOutputs(await this.#read(`${name}.template.json`), this.#outputs);
    const Key = `${name}.template.json`;
    await this.#s3.send(new PutObjectCommand({ Bucket: ASSETS, Key, Body: JSON.stringify(template) }));
    await this.#cloudFormation.send(
      new CreateStackCommand({
        StackName: name,
        TemplateURL: `${this.#options.url}/${ASSETS}/${Key}`,
        Capabilities: ['CAPABILITY_NAMED_IAM'],
        DisableRollback: true,
      }),
    );
    const described = await this.#ended(name);
    if (described.StackStatus !== 'CREATE_COMPLETE') throw new Error(await this.#whyFailed(name));
    const { StackResourceSummaries = [] } = await this.#cloudFormation.send(
      new ListStackResourcesCommand({ StackName: name }),
    );
    const leftOut = StackResourceSummaries.filter(
      ({ PhysicalResourceId }) => PhysicalResourceId === undefined || PhysicalResourceId === LEFT_OUT,
    );
    if (leftOut.length > 0)
      throw new Error(`LocalStack left out: ${leftOut.map(({ ResourceType }) => ResourceType).join(', ')}`);
    this.#outputs[name] = Object.fromEntries(
      (described.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
    );
  }

  async #ended(name: string) {
    for (;;) {
      const { Stacks: [stack] = [] } = await this.#cloudFormation.send(
        new DescribeStacksCommand({ StackName: name }),
      );
      if (stack === undefined) throw new Error(`no stack ${name}`);
      if (!stack.StackStatus?.endsWith('_IN_PROGRESS')) return stack;
      await wait(200);
    }
  }

  async #whyFailed(name: string): Promise<string> {
    const { StackEvents = [] } = await this.#cloudFormation.send(
      new DescribeStackEventsCommand({ StackName: name }),
    );
    const reasons = StackEvents.filter(({ ResourceStatus }) => ResourceStatus?.endsWith('_FAILED')).map(
      ({ LogicalResourceId = '', ResourceStatusReason = '' }) =>
        `${LogicalResourceId} ${ResourceStatusReason}`,
    );
    return `the stack ${name} failed: ${reasons.join('; ')}`;
  }

  async #contentOf(path: string, packaging: 'zip' | 'file'): Promise<Buffer> {
    const file = resolve(this.#options.assembly, path);
    if (packaging === 'file') return readFile(file);
    await execute(this.#options.python, ['-m', 'zipfile', '-c', `${file}.zip`, '.'], { cwd: file });
    return readFile(`${file}.zip`);
  }

  async #read(file: string): Promise<unknown> {
    return JSON.parse(await readFile(join(this.#options.assembly, file), 'utf8'));
  }
}
