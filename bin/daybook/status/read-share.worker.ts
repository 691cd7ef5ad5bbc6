import { parentPort } from 'node:worker_threads';
import type { MerchantStatus } from './merchant-status.ts';
import { readShare } from './read-share.ts';
import type { Share } from './read-share.ts';

/** What the thread says. `failed` and `done` come last. */
export type ShareMessage =
  | { kind: 'read'; count: number }
  | { kind: 'unreadable'; message: string }
  | { kind: 'failed'; message: string }
  | { kind: 'done'; merchants: MerchantStatus[] };

/** Reports between two messages about the progress. */
const BATCH = 50;

const say = (message: ShareMessage) => parentPort?.postMessage(message);

async function read(share: Share): Promise<void> {
  let count = 0;
  try {
    const merchants = await readShare(share, {
      onRead: () => {
        count += 1;
        if (count % BATCH === 0) say({ kind: 'read', count: BATCH });
      },
      onUnreadable: (message) => say({ kind: 'unreadable', message }),
    });
    say({ kind: 'done', merchants });
  } catch (error) {
    // An error of our own loses its class on the way to another thread.
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    say({ kind: 'failed', message });
  }
}

parentPort?.once('message', (share: Share) => void read(share));
