import pLimit from 'p-limit';
import type { FunctionName, OptionalFunctionName } from '#lib/functions.ts';
import type { Notice, SentMail } from '#sandbox/aws/index.ts';
import {
  BUCKET,
  CODE,
  DAY,
  DaybookWorld,
  OPS_TOPIC,
  type WorldOptions,
  runFunction,
} from '../world/daybook-world.ts';
import { expectKnownObjects, expectMailsAgree } from './bucket.ts';
import { BuiltRun } from './built-run.ts';
import { expectNoted, changesSomething, killAt, pointsOf, type Point } from './point.ts';
import { defined } from '#support/assertions/index.ts';

/** One thing that a function does, and what must be true after it, however often it died on the way. */
export interface Scenario {
  name: string;
  /** `test/lake/function` has the deaths of `lake`. */
  functionName: Exclude<FunctionName, 'lake'> | Exclude<OptionalFunctionName, 'link'>;
  options?: WorldOptions;
  /** The registry, and what the service holds: the same whenever it is called. */
  arrange: (world: DaybookWorld) => Promise<unknown>;
  /** Earlier changes of bucket and mails. They are recorded and copied into every world of the scenario. */
  before?: (world: DaybookWorld) => Promise<unknown>;
  /** The later changes of the service's data. */
  change?: (world: DaybookWorld) => void;
  event: (world: DaybookWorld) => unknown;
  /** How long after the world's beginning the function runs first, milliseconds; default 0. */
  ahead?: number;
  /** What happens between the death and the next run. */
  meanwhile?: (world: DaybookWorld) => void;
  /** What happens after the next run, in this process. */
  afterwards?: (world: DaybookWorld) => Promise<unknown>;
  /** Operations that the run must make, so that the matrix tests what it claims to. */
  calls: readonly string[];
  /**
   * Besides, every object is known, every change is noted, and the ledgers agree with the mails.
   * @param died where the first run was killed, `undefined` where it was not
   */
  verify: (world: DaybookWorld, died: Point | undefined) => Promise<void> | void;
}

/** A scenario with the bucket and the mails that it begins with, and the points that its calls make. */
export interface RecordedScenario extends Scenario {
  points: Point[];
  objects: (readonly [string, Buffer])[];
  mails: SentMail[];
  notices: Notice[];
}

export const A = 'a@merchants.example';
export const B = 'b@merchants.example';
/** A stage whose ops are told over a topic, too. */
export const WITH_TOPIC: WorldOptions = { environment: OPS_TOPIC };

/** A small day of a merchant whose reports go to {@link A} and {@link B}. */
export const twoReaders: Scenario['arrange'] = async (world) => {
  world.payments.data.seedDay(CODE, DAY, { invoices: 4, refunds: 1 });
  await world.putRegistry({ [CODE]: { recipients: [A, B] } });
};

/** After this time the lease of a mail has ended. Milliseconds. */
export const AFTER_LEASE = 2 * 60_000;
/** The same read of another day counts as the same call. */
const DAY_OF_KEY = /day=[\d-]+/g;
const REGISTRY = 'config/merchants.json';

/** Functions in this process read their endpoints from its environment, so they run one after the other. */
const inThisProcess = pLimit(1);

function startWorld({ options, arrange }: Scenario): Promise<DaybookWorld> {
  return inThisProcess(async () => {
    const world = await DaybookWorld.start(options);
    await arrange(world);
    return world;
  });
}

/** The function as it is deployed, in a process that can be killed. */
async function firstRun(
  world: DaybookWorld,
  { functionName, event, ahead = 0 }: Scenario,
): Promise<{ run: BuiltRun }> {
  const { clock, environment } = world;
  clock.ahead += ahead;
  const invocation = { functionName, event: await event(world), environment, ahead: clock.ahead };
  return { run: new BuiltRun(invocation) };
}

/** Runs the function again later, in this process, because a new process takes ten times as long. */
function nextRun(world: DaybookWorld, { functionName, event, afterwards }: Scenario): Promise<void> {
  return inThisProcess(async () => {
    Object.assign(process.env, world.environment);
    world.clock.ahead += AFTER_LEASE;
    await runFunction(functionName, await event(world), world.clock);
    await afterwards?.(world);
  });
}

async function expectEnd(world: DaybookWorld, { verify }: Scenario, died?: Point): Promise<void> {
  await expectKnownObjects(world);
  await expectMailsAgree(world);
  await verify(world, died);
}

/** Runs the scenario twice without a kill, like a message whose deletion is lost, and records the calls of the first run. */
export async function recorded(scenario: Scenario): Promise<RecordedScenario> {
  const { before, change, name, calls } = scenario;
  const world = await startWorld(scenario);
  try {
    await before?.(world);
    const keys = world.keys().filter((key) => key !== REGISTRY);
    const objects = await Promise.all(
      keys.map(async (key) => [key, defined(await world.aws.s3.read(BUCKET, key))] as const),
    );
    const mails = [...world.mails()];
    const notices = [...world.aws.notices.messages];
    change?.(world);
    const earlier = world.aws.requests.length;
    const { run } = await firstRun(world, scenario);
    expect(await run.outcome).toHaveProperty('answer');
    const requests = world.aws.requests.slice(earlier);
    const made = new Set(requests.map(({ operation }) => operation));
    for (const call of calls) if (!made.has(call)) throw new Error(`${name}: no ${call} was made`);
    await nextRun(world, scenario);
    await expectEnd(world, scenario);
    return { ...scenario, points: pointsOf(requests), objects, mails, notices };
  } finally {
    await world.close();
  }
}

/**
 * Removes repeated points. A death at a read leaves the same state as a death after the change before it, which is a
 * point of its own. So each read is a point once for a function, and each change is a point in every scenario.
 */
export function withoutRepeated(scenarios: readonly RecordedScenario[]): RecordedScenario[] {
  const met = new Set<string>();
  return scenarios.map((scenario) => {
    const points = scenario.points.filter((point) => {
      const reading = `${scenario.functionName} ${point.call.replaceAll(DAY_OF_KEY, '')} ${point.when}`;
      if (changesSomething(point) || !met.has(reading)) return met.add(reading);
      return false;
    });
    return { ...scenario, points };
  });
}

/** Runs the scenario to a point, kills it there, runs it again, and checks the result. */
export async function dieAt(scenario: RecordedScenario, point: Point): Promise<void> {
  const { change, meanwhile, objects, mails, notices } = scenario;
  const world = await startWorld(scenario);
  try {
    for (const [key, body] of objects) await world.aws.s3.write(BUCKET, key, body);
    world.aws.mail.messages.push(...mails);
    world.aws.notices.messages.push(...notices);
    change?.(world);
    // The process starts in the first of these lines, and cannot reach the point before the second.
    const { run } = await firstRun(world, scenario);
    killAt(world.aws, point, () => run.kill());
    expect(await run.outcome).toEqual({ ended: 'SIGKILL' });
    // The next run might write the marker that this one owed.
    await expectNoted(world);
    meanwhile?.(world);
    await nextRun(world, scenario);
    await expectEnd(world, scenario, point);
  } finally {
    await world.close();
  }
}
