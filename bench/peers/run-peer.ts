import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { INVOICE_TYPES } from '../measure.ts';
import { DAY, MAX_CONCURRENCY } from '../rows/row.ts';
import type { Child } from '../fleet/workers/child.ts';
import { figuresIn } from './figures.ts';
import type { Peer, Places } from './peers.ts';
import type { PeerTask } from './programs/task.ts';
import type { Taken } from './ratios.ts';
import type { RunningService } from './service.worker.ts';

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

/**
 * Runs a program once, as a whole process, and checks its output.
 *
 * @throws {Error} when it fails, or when its output does not have the service's invoices and their sum
 */
export async function runPeer(
  peer: Peer,
  places: Places,
  child: Child,
  service: RunningService,
): Promise<Taken> {
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
