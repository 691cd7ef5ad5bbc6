import type { ClientRequest, IncomingMessage } from 'node:http';

/** Waits for the head of the answer to a request. Rejects with the request's error. */
export function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('error', reject);
    request.once('response', resolve);
  });
}
