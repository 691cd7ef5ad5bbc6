import { GetFunctionConfigurationCommand, ResourceNotFoundException } from '@aws-sdk/client-lambda';
import type { FunctionConfiguration } from '@aws-sdk/client-lambda';
import { bareAddress } from '#registry/mail-address.ts';
import type { StageOutputs } from '../../stage/stage-outputs.ts';
import { fine, wrong } from '../finding.ts';
import type { Check } from '../check.ts';
import type { Finding } from '../finding.ts';
import type { CheckedStage } from '../checked-stage.ts';

/** The variables that come from other stacks, with the values that the stacks say now. */
function expectedVariables(stage: StageOutputs): Record<string, string> {
  return {
    DATA_BUCKET: stage.bucket,
    OPS_TOPIC_ARN: stage.topicArn,
    SES_CONFIGURATION_SET: stage.mail.configurationSet,
    MAIL_FROM: stage.mail.from,
    REGISTRY_KEY: stage.registryKey,
    CREDENTIALS_SECRET: stage.credentialsSecret,
  };
}

/** The functions: are they there, and do they use the bucket, topic and sender that the other stacks have now? */
export const functions: Check = {
  name: 'Functions',
  looksAt: ({ stage }) => `${Object.keys(stage.functions).length} functions and their variables`,
  look: async ({ stage, clients }: CheckedStage) => {
    // CloudFormation looks at what is really there only with it: the templates can be the same.
    const deploy = stage.lines.cdk('deploy', '--all', '--revert-drift');
    const names = Object.values(stage.functions);
    const findings = await Promise.all(
      names.map(async (name): Promise<Finding[]> => {
        try {
          const configuration = await clients
            .lambda()
            .send(new GetFunctionConfigurationCommand({ FunctionName: name }));
          return functionFindings(name, configuration, expectedVariables(stage), deploy);
        } catch (error) {
          if (!(error instanceof ResourceNotFoundException)) throw error;
          return [wrong(`${name} does not exist`, deploy)];
        }
      }),
    );
    const bad = findings.flat();
    return bad.length > 0 ? bad : [fine(`all ${names.length} use what the stacks have`)];
  },
};

function functionFindings(
  name: string,
  { Environment, State, LastUpdateStatus }: FunctionConfiguration,
  expected: Record<string, string>,
  deploy: string,
): Finding[] {
  const variables = Environment?.Variables ?? {};
  const valueOf = (variable: string) => {
    const value = variables[variable];
    return variable === 'MAIL_FROM' && value !== undefined ? bareAddress(value) : value;
  };
  const stale = Object.entries(expected).filter(([variable, value]) => {
    const used = valueOf(variable);
    // The registry has a default key.
    return used === undefined ? variable !== 'REGISTRY_KEY' : used !== value;
  });
  const isBroken = State === 'Failed' || LastUpdateStatus === 'Failed';
  return [
    ...(isBroken ? [wrong(`the last deploy of ${name} failed`, deploy)] : []),
    ...stale.map(([variable, value]) =>
      wrong(
        `${name} has another ${variable} than the stacks: ${valueOf(variable) ?? 'none'} instead of ${value}`,
        deploy,
      ),
    ),
  ];
}
