import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** The whole body of a small request as text. */
export async function requestText(request: IncomingMessage): Promise<string> {
  return (await buffer(request)).toString('utf8');
}
