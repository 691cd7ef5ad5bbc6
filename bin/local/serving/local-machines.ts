import { FUNCTIONS, REPORT_SIZES } from '#lib/functions.ts';
import type { FanOutKind, FunctionName } from '#lib/functions.ts';
import type { AwsSandbox, ExecutionControl, ExecutionEnd } from '#sandbox/aws/index.ts';
import type { Definition } from '#sandbox/step-functions/definition.ts';
import { stateMachineArn } from './stage-names.ts';
import type { LocalStage } from './stage-names.ts';

/** The state machines that the stacks deploy, on the local stage. */
const MACHINES = [
  { machine: 'reports', kind: 'daily' },
  { machine: 'alerts', kind: 'alert' },
] as const;

/** Somebody has stopped the execution. No further function is run for it. */
class StoppedError extends Error {
  override readonly name = 'ExecutionStopped';
}

const rendered = new Map<FanOutKind, Promise<Definition>>();

/**
 * Renders the definition from the stacks when it is first needed: CDK takes seconds to load.
 *
 * @param bucket the data bucket, in place of the one that the rendering has
 */
async function definitionFor(kind: FanOutKind, bucket: string): Promise<Definition> {
  const [{ BUCKET_NAME, fanOutDefinition }, { definitionSchema }] = await Promise.all([
    import('#sandbox/step-functions/fan-out-definition.ts'),
    import('#sandbox/step-functions/definition.ts'),
  ]);
  const once = rendered.get(kind) ?? Promise.resolve(fanOutDefinition(kind));
  rendered.set(kind, once);
  const text = JSON.stringify(await once).replaceAll(`"${BUCKET_NAME}"`, JSON.stringify(bucket));
  return definitionSchema.parse(JSON.parse(text));
}

/**
 * The function whose code is called. In a rendered definition the names of functions have no hyphens: `dailyreport`. Its other
 * sizes are the same function here.
 */
function functionCalled(name: string): FunctionName {
  const isCalled = (known: string) => known.replaceAll('-', '') === name;
  const isFunctionName = (text: string): text is FunctionName => Object.hasOwn(FUNCTIONS, text);
  if (Object.keys(REPORT_SIZES).some(isCalled)) return 'daily-report';
  for (const known of Object.keys(FUNCTIONS).filter(isFunctionName)) if (isCalled(known)) return known;
  throw new Error(`the definition calls ${name}, which is no function`);
}

/** Makes executions of both state machines run on this machine: plan, items, a function for each day, both rounds. */
export function presentStateMachines(aws: AwsSandbox, { environment, invoke }: LocalStage): void {
  const bucket = environment['DATA_BUCKET'] ?? '';

  async function execute(
    kind: FanOutKind,
    input: unknown,
    { signal, mapBegins }: ExecutionControl,
  ): Promise<ExecutionEnd> {
    const { runFanOut } = await import('#sandbox/step-functions/run-fan-out.ts');
    const assertGoesOn = () => {
      if (signal.aborted) throw new StoppedError('the execution was stopped');
    };
    const { status, output, error, cause } = await runFanOut(await definitionFor(kind, bucket), input, {
      mapBegins,
      invoke: async ({ functionName, event }) => {
        assertGoesOn();
        return invoke(functionCalled(functionName), event);
      },
      read: async (key) => {
        const body = await aws.s3.read(bucket, key);
        if (body === undefined) throw new Error(`there is no object ${key}`);
        return body.toString('utf8');
      },
      write: async (key, text) => {
        assertGoesOn();
        await aws.s3.write(bucket, key, text);
      },
    });
    if (status === 'SUCCEEDED') return { status, output };
    return { status, ...(error !== undefined && { error }), ...(cause !== undefined && { cause }) };
  }

  for (const { machine, kind } of MACHINES)
    aws.executions.machines.set(stateMachineArn(machine), (input, control) => execute(kind, input, control));
}
