// An execution environment as in Lambda: a process that runs one invocation after another. Its clock is set again for each
// invocation. The process ends itself in the middle of an invocation when it is told to.
import { subscribe } from 'node:diagnostics_channel';
import { flushCompileCache, syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import * as z from 'zod';
import { loadHandler } from '#bin/local/functions/call-handler.ts';
import { timeOf, type ClockReading } from '../clock.ts';
import type { Death } from './pool.ts';

const invocationSchema = z.object({
  functionName: z.string(),
  file: z.string(),
  event: z.unknown(),
  reading: z.object({ machine: z.number(), virtual: z.number(), speed: z.number() }),
  death: z.object({ request: z.int(), when: z.enum(['before', 'after']) }).optional(),
});

const MachineDate = Date;
const machineSleep = timers.setTimeout;
const dateSchema = z.custom<Date>((value) => value instanceof MachineDate);
let reading: ClockReading = { machine: 0, virtual: 0, speed: 1 };

function now(): number {
  return timeOf(reading, MachineDate.now());
}

globalThis.Date = new Proxy(MachineDate, {
  // `new Date()` and `Date.now()` show the clock. Every other use of dates has a given moment.
  construct: (target, parts: unknown[], newTarget): Date =>
    dateSchema.parse(Reflect.construct(target, parts.length === 0 ? [now()] : parts, newTarget)),
  apply: (target) => new target(now()).toString(),
  get: (target, member): unknown => (member === 'now' ? now : Reflect.get(target, member, target)),
});

// The functions wait with these. Time-outs of requests and the SDK's own pauses use the machine's clock, like the requests.
timers.setTimeout = (delay = 1, value, options) => machineSleep(delay / reading.speed, value, options);
syncBuiltinESMExports();

let death: Death | undefined;
const met = { before: 0, after: 0 };

function meet(when: Death['when']): void {
  met[when] += 1;
  // At once: no handler runs and nothing is flushed, as on a machine that fails.
  if (death?.when === when && death.request === met[when]) process.kill(process.pid, 'SIGKILL');
}

// The AWS SDK uses node:http, the client of the payment service `fetch`.
for (const channel of ['http.client.request.created', 'undici:request:create']) {
  subscribe(channel, () => meet('before'));
}
for (const channel of ['http.client.response.finish', 'undici:request:headers']) {
  subscribe(channel, () => meet('after'));
}

async function invoke(message: unknown): Promise<unknown> {
  try {
    const { functionName, file, event, ...fate } = invocationSchema.parse(message);
    const call = await loadHandler(file, functionName, 512);
    // Not at its end, because it may be killed.
    flushCompileCache();
    reading = fate.reading;
    death = fate.death;
    met.before = met.after = 0;
    return { answer: (await call(event)) ?? null };
  } catch (error) {
    if (!(error instanceof Error)) return { error: { name: 'Error', message: String(error) } };
    return { error: { name: error.name, message: error.message } };
  } finally {
    // Work that a function left running after its answer is lost.
    death = undefined;
  }
}

process.on('message', (message) => void invoke(message).then((outcome) => process.send?.(outcome)));
process.once('disconnect', () => process.exit());
