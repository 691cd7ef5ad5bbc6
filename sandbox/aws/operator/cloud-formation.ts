import { queryAnswer, queryRefusal, readQueryRequest } from '../query-protocol.ts';
import { ServiceError } from '../service.ts';
import type { Service } from '../service.ts';
import type { XmlElements } from '../xml.ts';

const namespace = 'http://cloudformation.amazonaws.com/doc/2010-05-15/';
/** Any time in the past. The sandbox does not know when a stack was made. */
const CREATED = '2026-01-01T00:00:00.000Z';

/** A deployed stack. */
export interface SandboxStack {
  outputs: Record<string, string>;
  /** Default: `CREATE_COMPLETE`. */
  status?: string;
}

/** The stacks by their names. */
export type StackStore = Map<string, SandboxStack>;

/** CloudFormation, but only DescribeStacks, with all stacks on one page. */
export function cloudFormationService(stacks: StackStore): Service {
  return {
    name: 'cloudFormation',
    identify: async (request) => {
      const { action, parameters } = await readQueryRequest(request);
      const name = parameters.get('StackName') ?? undefined;
      return {
        operation: action || 'Unknown',
        key: name,
        perform: (requestId) => {
          if (action !== 'DescribeStacks') {
            throw new ServiceError(
              400,
              'InvalidAction',
              `The sandbox's CloudFormation only has DescribeStacks, not ${action}.`,
            );
          }
          const member = described(stacks, name);
          return queryAnswer(namespace, action, { Stacks: { member } }, requestId);
        },
      };
    },
    refuse: (error, requestId) => queryRefusal(namespace, error, requestId),
  };
}

function described(stacks: StackStore, name: string | undefined): XmlElements[] {
  if (name === undefined) return [...stacks].map(([each, stack]) => element(each, stack));
  const stack = stacks.get(name);
  if (stack === undefined)
    throw new ServiceError(400, 'ValidationError', `Stack with id ${name} does not exist`);
  return [element(name, stack)];
}

function element(name: string, { outputs, status = 'CREATE_COMPLETE' }: SandboxStack): XmlElements {
  return {
    StackName: name,
    StackId: `arn:aws:cloudformation:us-east-1:000000000000:stack/${name}/00000000-0000-0000-0000-000000000000`,
    CreationTime: CREATED,
    StackStatus: status,
    Outputs: {
      member: Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
    },
  };
}
