import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { CommandError } from '../terminal/command-errors.ts';
import type { MerchantStatus } from './merchant-status.ts';
import { readShare } from './read-share.ts';
import type { Share, ShareListener } from './read-share.ts';
import type { ShareMessage } from './read-share.worker.ts';

/** A thread takes as long to start as to read some hundred reports. */
const REPORTS_FOR_A_THREAD = 500;
const MOST_THREADS = 4;

/** How many threads share the work. One core signs and parses some 1,500 requests a second. */
function threadsFor(reports: number): number {
  return Math.max(
    1,
    Math.min(MOST_THREADS, availableParallelism(), Math.floor(reports / REPORTS_FOR_A_THREAD)),
  );
}

/** Reads a share in a thread of its own. @throws {CommandError} when it fails */
function readInThread(share: Share, { onRead, onUnreadable }: ShareListener): Promise<MerchantStatus[]> {
  const worker = new Worker(new URL('read-share.worker.ts', import.meta.url));
  return new Promise<MerchantStatus[]>((resolve, reject) => {
    worker.on('message', (message: ShareMessage) => {
      switch (message.kind) {
        case 'read':
          for (let one = 0; one < message.count; one += 1) onRead();
          return;
        case 'unreadable':
          onUnreadable(message.message);
          return;
        case 'failed':
          reject(new CommandError(message.message));
          return;
        case 'done':
          resolve(message.merchants);
      }
    });
    worker.postMessage(share);
    worker.on('error', reject);
    // After an answer this changes nothing.
    worker.on('exit', (code) => reject(new CommandError(`a reading thread ended with ${code}`)));
  }).finally(() => worker.terminate());
}

/**
 * Reads the records of all reports, many of them in several threads.
 *
 * @returns in the order of the reports
 */
export async function readMerchants(all: Share, listener: ShareListener): Promise<MerchantStatus[]> {
  const { reports, atOnce } = all;
  const threads = threadsFor(reports.length);
  if (threads === 1) return readShare(all, listener);
  const size = Math.ceil(reports.length / threads);
  const shares = Array.from({ length: threads }, (_, index) => ({
    ...all,
    reports: reports.slice(index * size, (index + 1) * size),
    atOnce: Math.floor(atOnce / threads),
  }));
  return (await Promise.all(shares.map((share) => readInThread(share, listener)))).flat();
}
