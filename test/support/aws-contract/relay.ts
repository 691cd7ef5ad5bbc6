import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { portOf } from '#sandbox/ports.ts';
import { responseTo } from '#support/assertions/index.ts';

export interface Relayed {
  method: string;
  /** The path below the bucket, decoded. */
  key: string;
  query: URLSearchParams;
  /** The status of the service's answer, even when the client did not get it. */
  status: number;
}

/** Forwards a client's requests to a service (`http://127.0.0.1:<port>`), records them, and can lose an answer. */
export async function startRelay(endpoint: string) {
  const relayed: Relayed[] = [];
  const toLose: ((request: Omit<Relayed, 'status'>) => boolean)[] = [];
  let lastWrite: Promise<unknown> | undefined;

  async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', endpoint);
    const key = decodeURIComponent(pathname.split('/').slice(2).join('/'));
    const about = { method: request.method ?? '', key, query };
    const lost = toLose.findIndex((isMeant) => isMeant(about));
    if (lost >= 0) toLose.splice(lost, 1);

    // This server answers `Expect: 100-continue` itself, and the service gets the body without it.
    const { expect: _expect, connection: _connection, ...headers } = request.headers;
    const outgoing = forward(new URL(endpoint), { method: about.method, path: request.url, headers });
    const [answer] = await Promise.all([responseTo(outgoing), pipeline(request, outgoing)]);
    relayed.push({ ...about, status: answer.statusCode ?? 0 });
    if (lost >= 0) {
      await buffer(answer);
      response.socket?.resetAndDestroy();
      return;
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    await pipeline(answer, response);
  }

  const server = createServer((request, response) => {
    const conditions = [request.headers['if-match'], request.headers['if-none-match']];
    const isGuarded = request.method === 'PUT' && conditions.some((condition) => condition !== undefined);
    const turn = isGuarded ? lastWrite : undefined;
    const done = Promise.resolve(turn)
      .then(() => relay(request, response))
      // The client or the service closed the connection.
      .catch(() => response.destroy());
    if (isGuarded && lastWrite !== undefined) lastWrite = done;
  });
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    /** The requests since the last call. */
    taken: () => relayed.splice(0),
    /** Forwards the next such request, and then loses its answer with the connection. */
    loseAnswer: (of: (typeof toLose)[number]) => void toLose.push(of),
    /** From now on forwards conditional writes one after another, for a service that does not isolate them. */
    oneWriteAtATime: () => {
      lastWrite = Promise.resolve();
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
