import { median } from 'simple-statistics';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from '#scripts/bundle.ts';
import { cachedBuild } from '#scripts/cached-build.ts';
import { pythonEnvironment } from '#sandbox/python-environment.ts';
import { startChild } from '../child.ts';
import type { RunningService } from '../service.worker.ts';
import { PEERS, runPeer } from './peers.ts';
import type { Peer, Places } from './peers.ts';
import type { Settings } from './run.ts';

/** What a program took, from its start to its end, with all processes that it started. */
export interface Taken {
  /** Milliseconds. */
  wall: number;
  /** User and system, milliseconds. */
  cpu: number;
  /** The largest resident set of a process, bytes. */
  peak: number;
}

type Round = Readonly<Record<string, Taken>>;

/**
 * A program's figures as multiples of another's. A ratio is taken within a round, where both ran one shortly after the other; the
 * median is that of the rounds.
 *
 * @throws {Error} when a round lacks one of the two
 */
export function multiplesOf(rounds: readonly Round[], name: string, base: string): Taken {
  const of = (figure: keyof Taken) =>
    median(
      rounds.map((round) => {
        const [one, other] = [round[name], round[base]];
        if (one === undefined || other === undefined) throw new Error(`a round lacks ${name} or ${base}`);
        return one[figure] / other[figure];
      }),
    );
  return { wall: of('wall'), cpu: of('cpu'), peak: of('peak') };
}

/** The medians of a program. @throws {Error} when a round lacks it */
export function mediansOf(rounds: readonly Round[], name: string): Taken {
  const all = rounds.map((round) => {
    const one = round[name];
    if (one === undefined) throw new Error(`a round lacks ${name}`);
    return one;
  });
  const of = (figure: keyof Taken) => median(all.map((one) => one[figure]));
  return { wall: of('wall'), cpu: of('cpu'), peak: of('peak') };
}

const ROOT = join(import.meta.dirname, '../..');
const PYTHON = join(ROOT, '.local/peers/python');
const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');

export interface Case {
  perPage: number;
  latency: number;
  rounds: Round[];
}

function peersOf({ only }: Settings): Peer[] {
  return PEERS.filter(({ name }, index) => index === 0 || only.includes(name));
}

async function placesIn(directory: string, peers: readonly Peer[]): Promise<Places> {
  const { files } = await cachedBuild();
  const dailyReport = files.get('daily-report');
  if (dailyReport === undefined) throw new Error('daily-report was not built');
  const programOf = async (name: string) => {
    await bundle(ROOT, `bench/peers/programs/${name}.ts`, join(directory, name));
    return join(directory, name, 'index.mjs');
  };
  const programs = { daybook: await programOf('daybook'), nodeLoop: await programOf('node-loop') };
  if (!peers.some((peer) => peer.python)) return { python: '', programs, dailyReport };
  return { python: join(await pythonEnvironment(PYTHON, REQUIREMENTS), 'python'), programs, dailyReport };
}

/** The programs in another order each round, so that none always follows the same one. */
function turned(peers: readonly Peer[], round: number): Peer[] {
  const by = round % peers.length;
  return [...peers.slice(by), ...peers.slice(0, by)];
}

async function casesOf(
  perPage: number,
  { invoices, latency: latencies, rounds }: Settings,
  peers: readonly Peer[],
  places: Places,
  { say, measured }: Listener,
): Promise<Case[]> {
  const child = startChild({ file: 'service.worker.ts' });
  try {
    const service = await child.ask<RunningService>('start', { invoices, perPage });
    // So that the service has its pages ready, and Python its modules compiled.
    for (const peer of peers) {
      say(`${perPage} a page: ${peer.name}, not measured …`);
      await runPeer(peer, places, child, service);
    }
    const cases: Case[] = [];
    for (const latency of latencies) {
      await child.ask('latency', latency);
      const one: Case = { perPage, latency, rounds: [] };
      for (let round = 0; round < rounds; round += 1) {
        const taken: Record<string, Taken> = {};
        for (const peer of turned(peers, round))
          taken[peer.name] = await runPeer(peer, places, child, service);
        one.rounds.push(taken);
        say(`${perPage} a page, ${latency} ms: round ${round + 1} of ${rounds}`);
      }
      measured(one);
      cases.push(one);
    }
    return cases;
  } finally {
    await child.close();
  }
}

interface Listener {
  say: (line: string) => void;
  measured: (one: Case) => void;
}

/**
 * Runs every program in every round of every case.
 *
 * @throws {Error} when a program fails or its output is not complete
 */
export async function compare(settings: Settings, listener: Listener): Promise<Case[]> {
  const peers = peersOf(settings);
  const directory = await mkdtemp(join(tmpdir(), 'daybook-peers-'));
  try {
    const places = await placesIn(directory, peers);
    const cases: Case[] = [];
    for (const perPage of settings.perPage) {
      cases.push(...(await casesOf(perPage, settings, peers, places, listener)));
    }
    return cases;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
