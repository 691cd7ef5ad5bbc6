import { join } from 'node:path';
import { FUNCTION_HEAP } from '../measure.ts';
import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { formatAmount, parseAmount } from '#records/money/money.ts';
import { DAY, INVOICE_TYPES, MAX_CONCURRENCY } from '../days.ts';
import { startChild, type Child } from '../child.ts';
import type { RunningService } from '../service.worker.ts';
import type { PeerTask } from './programs/task.ts';
import { median } from 'simple-statistics';
import { bundle } from '#scripts/bundle.ts';
import { cachedBuild } from '#scripts/cached-build.ts';
import { pythonEnvironment } from '#sandbox/python-environment.ts';
import type { Settings } from './run.ts';

interface Peer {
  name: string;
  python: boolean;
  /** Program and arguments, before and after the task's file. */
  command: (places: Places) => { before: string[]; after: string[] };
  /** Which files of its output have its invoices, relative to its folder or to its bucket. */
  rows: { in: 'folder' | 'bucket'; pattern: string };
  leavesOut: string;
}

interface Places {
  python: string;
  programs: { daybook: string; nodeLoop: string };
  dailyReport: string;
}

const NO_PROOF = 'proof and mail';

/** What all but Daybook leave out. */
export const PROOF_AND_MAIL =
  'Proof and mail: checks against the contract and the totals, digests, the seal, a second run that finds the day unchanged, the report.';

function daybook(name: string, execArgv: readonly string[], leavesOut: string): Peer {
  return {
    name,
    python: false,
    command: ({ programs, dailyReport }) => ({
      before: [process.execPath, ...execArgv, programs.daybook],
      after: [dailyReport],
    }),
    rows: { in: 'bucket', pattern: 'invoices/json/**/*.gz' },
    leavesOut,
  };
}

function nodeLoop(how: 'fetch' | 'http'): Peer {
  return {
    name: how === 'fetch' ? 'Node loop, fetch' : 'Node loop, node:http',
    python: false,
    command: ({ programs }) => ({
      before: [process.execPath, ...FUNCTION_HEAP, programs.nodeLoop],
      after: [how],
    }),
    rows: { in: 'bucket', pattern: 'invoices.json.gz' },
    leavesOut: `${NO_PROOF}; retries`,
  };
}

function pythonProgram(name: string, file: string, pattern: string, leavesOut: string): Peer {
  return {
    name,
    python: true,
    command: ({ python }) => ({ before: [python, join(import.meta.dirname, 'programs', file)], after: [] }),
    rows: { in: 'folder', pattern },
    leavesOut,
  };
}

/** All programs. The first is what the others are held against. */
export const PEERS: readonly Peer[] = [
  daybook('Daybook', FUNCTION_HEAP, ''),
  daybook('Daybook, free heap', [], 'the limit of 512 MB'),
  nodeLoop('fetch'),
  nodeLoop('http'),
  pythonProgram('aiohttp loop', 'aiohttp_loop.py', 'invoices.json.gz', `${NO_PROOF}; retries; S3`),
  pythonProgram('dlt', 'dlt_pipeline.py', 'files/daybook/invoices/*.jsonl*', `${NO_PROOF}; CSV; S3`),
  pythonProgram('airbyte-cdk', 'airbyte_source.py', 'stdout', `${NO_PROOF}; CSV; S3; compression`),
  pythonProgram(
    'singer-sdk',
    'singer_tap.py',
    'stdout',
    `${NO_PROOF}; CSV; S3; compression; requests at once`,
  ),
];

interface Amount {
  amount?: unknown;
}

/** Singer has the record itself in `record`, Airbyte has it in `data` there. */
interface Message {
  type?: string;
  record?: Amount & { data?: Amount };
}

/** A line as a record, if it has one. The lines of Singer and Airbyte are messages, and some are not records. */
function recordIn(line: string): Amount | undefined {
  const parsed = JSON.parse(line) as Message & Amount;
  if (typeof parsed.type !== 'string') return parsed;
  return parsed.type === 'RECORD' ? (parsed.record?.data ?? parsed.record) : undefined;
}

/** Count and sum of the invoices in JSON lines. @throws {AmountError} when an invoice has no amount */
export function figuresIn(texts: readonly string[]): RunningService['truth'] {
  let invoices = 0;
  let total = 0n;
  for (const text of texts) {
    for (const line of text.split('\n')) {
      const record = line === '' ? undefined : recordIn(line);
      if (record === undefined) continue;
      invoices += 1;
      total += parseAmount(String(record.amount));
    }
  }
  return { invoices, total: formatAmount(total) };
}

/** Python's standard library knows what a process and those that it started took. Node does not. */
const MEASURE = join(import.meta.dirname, 'measured.py');
/** The end of a program's errors that is shown. Characters. */
const TOLD = 2_000;

function taskOf({ origin, merchant }: RunningService, output: string): PeerTask {
  return {
    origin,
    day: DAY,
    merchant_code: merchant.merchantCode,
    username: merchant.username,
    password: merchant.password,
    access_code: merchant.accessCode,
    key: merchant.cipher.key,
    iv: merchant.cipher.iv,
    invoice_types: INVOICE_TYPES,
    concurrency: MAX_CONCURRENCY,
    output,
  };
}

function textOf(file: string): string {
  const bytes = readFileSync(file);
  return (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString('utf8');
}

function assertComplete(peer: Peer, root: string, { truth }: RunningService): void {
  const files = globSync(peer.rows.pattern, { cwd: root }).map((file) => join(root, file));
  const found = figuresIn(files.map(textOf));
  if (found.invoices === truth.invoices && found.total === truth.total) return;
  throw new Error(
    `${peer.name} wrote ${found.invoices} invoices of ${found.total}, and the service has ${truth.invoices} of ${truth.total}`,
  );
}

let runs = 0;

/** Runs a program once. @throws {Error} when it fails, or its output lacks invoices of the service or their sum */
async function runPeer(peer: Peer, places: Places, child: Child, service: RunningService): Promise<Taken> {
  runs += 1;
  const bucket = `peers-${runs}`;
  const folder = await mkdtemp(join(tmpdir(), 'daybook-peer-'));
  try {
    await child.ask('bucket', bucket);
    const output = join(folder, 'output');
    await mkdir(output);
    const task = join(folder, 'task.json');
    await writeFile(task, JSON.stringify(taskOf(service, output)));
    const { before, after } = peer.command(places);
    const errors = join(folder, 'errors');
    const measured = spawn('python3', [MEASURE, join(output, 'stdout'), errors, ...before, task, ...after], {
      env: { ...process.env, ...service.environment, DATA_BUCKET: bucket },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const { status, ...taken } = JSON.parse(await text(measured.stdout)) as Taken & { status: number };
    if (status !== 0) throw new Error(`${peer.name} ended with ${status}: ${textOf(errors).slice(-TOLD)}`);
    assertComplete(peer, peer.rows.in === 'folder' ? output : join(service.buckets, bucket), service);
    return taken;
  } finally {
    await child.ask('drop', bucket);
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a program took, from its start to its end, with all processes that it started. */
interface Taken {
  /** Milliseconds. */
  wall: number;
  /** User and system, milliseconds. */
  cpu: number;
  /** The largest resident set of a process, bytes. */
  peak: number;
}

type Round = Readonly<Record<string, Taken>>;

function takenBy(round: Round, name: string): Taken {
  const taken = round[name];
  if (taken === undefined) throw new Error(`a round lacks ${name}`);
  return taken;
}

function medianOf(rounds: readonly Round[], valueOf: (round: Round, figure: keyof Taken) => number): Taken {
  const of = (figure: keyof Taken) => median(rounds.map((round) => valueOf(round, figure)));
  return { wall: of('wall'), cpu: of('cpu'), peak: of('peak') };
}

/**
 * A program's figures as multiples of another's. A ratio is taken within a round, where both ran one shortly after the other; the
 * median is that of the rounds.
 *
 * @throws {Error} when a round lacks one of the two
 */
export function multiplesOf(rounds: readonly Round[], name: string, base: string): Taken {
  return medianOf(rounds, (round, figure) => takenBy(round, name)[figure] / takenBy(round, base)[figure]);
}

/** The medians of a program. @throws {Error} when a round lacks it */
export function mediansOf(rounds: readonly Round[], name: string): Taken {
  return medianOf(rounds, (round, figure) => takenBy(round, name)[figure]);
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

async function runCases(
  perPage: number,
  { invoices, latency: latencies, rounds }: Settings,
  peers: readonly Peer[],
  places: Places,
  { say, measured }: Listener,
): Promise<void> {
  const child = startChild({ file: 'service.worker.ts' });
  try {
    const service = await child.ask<RunningService>('start', { invoices, perPage });
    // So that the service has its pages ready, and Python its modules compiled.
    for (const peer of peers) {
      say(`${perPage} a page: ${peer.name}, not measured …`);
      await runPeer(peer, places, child, service);
    }
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
    }
  } finally {
    await child.close();
  }
}

interface Listener {
  say: (line: string) => void;
  measured: (one: Case) => void;
}

/** Runs every program in every round of every case. @throws {Error} when one fails or its output is incomplete */
export async function compare(settings: Settings, listener: Listener): Promise<void> {
  const peers = peersOf(settings);
  const directory = await mkdtemp(join(tmpdir(), 'daybook-peers-'));
  try {
    const places = await placesIn(directory, peers);
    for (const perPage of settings.perPage) await runCases(perPage, settings, peers, places, listener);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
