import { mkdirSync, rmSync } from 'node:fs';
import { Deployment } from '#sandbox/localstack/deploy.ts';
import { DeployedFunctions } from '#sandbox/localstack/deployed-functions.ts';
import { startLocalStack } from '#sandbox/localstack/local-stack.ts';
import { defined } from '#support/assertions/defined.ts';
import { writeAssembly } from '#support/stacks/assembly.ts';
import { SECRET } from '#support/world/daybook-world.ts';
import type { DaybookWorld } from '#support/world/daybook-world.ts';

const DIRECTORY = '.local/localstack/stage';
const STACKS = ['Data', 'Mail', 'Functions', 'Schedules'];

function installed(variable: string): string {
  return defined(process.env[variable], `${variable}: npm run test:localstack gives it`);
}

/** The stage `dev` in a LocalStack. */
export interface DeployedStage {
  /** Of LocalStack. */
  url: string;
  /** An output of a stack. Throws `Error` when there is none. */
  output: (stack: string, name: string) => string;
  functions: DeployedFunctions;
  close: () => Promise<void>;
}

/**
 * Deploys the stage `dev`, with the payment service of a world. Its functions have S3 and SNS of LocalStack, and mail and
 * secrets of the world. Its states call the Lambda of the world.
 *
 * @param world started as an operator's
 * @param toleratedFailurePercentage of the fan-out
 */
export async function deployStage(
  world: DaybookWorld,
  toleratedFailurePercentage: number,
): Promise<DeployedStage> {
  const python = installed('DAYBOOK_LOCALSTACK');
  const client = installed('DAYBOOK_RUNTIME_CLIENT');
  rmSync(DIRECTORY, { recursive: true, force: true });
  mkdirSync(DIRECTORY, { recursive: true });
  const assembly = `${DIRECTORY}/assembly`;
  await writeAssembly(assembly, 'dev', (settings) => {
    settings.service.origins = [world.payments.origin];
    settings.credentials.secret = SECRET;
    settings.concurrency.toleratedFailurePercentage = toleratedFailurePercentage;
  });
  const { environment } = world.aws;
  const localStack = await startLocalStack({
    python,
    directory: '.local/localstack/run',
    lambda: defined(environment['AWS_ENDPOINT_URL_LAMBDA'], 'Lambda'),
  });
  const { url } = localStack;
  const functions = new DeployedFunctions({
    url,
    client,
    python,
    directory: `${DIRECTORY}/functions`,
    environment: {
      ...environment,
      AWS_REGION: 'eu-central-1',
      AWS_ENDPOINT_URL_S3: url,
      AWS_ENDPOINT_URL_SNS: url,
    },
  });
  const close = async () => {
    await functions.close();
    await localStack.close();
  };
  const nameOf = (stack: string) => `Daybook-dev-${stack}`;
  try {
    const outputs = await new Deployment({ url, python, assembly }).deploy(STACKS.map(nameOf));
    const output = (stack: string, name: string) => defined(outputs[nameOf(stack)]?.[name], name);
    return { url, output, functions, close };
  } catch (error) {
    await close();
    throw error;
  }
}
