import { once } from 'node:events';
import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';
import { portOf } from '#support/assertions/port-of.ts';

/** The pages of one statement. A page without an end lasts until the statement is cancelled. */
export type Pages = readonly Record<string, unknown>[] | 'never ends';

/** A statement that arrived, with the names it is to be run under. */
export interface ArrivedStatement {
  sql: string;
  catalog: string;
  schema: string;
}

/** A server with the protocol of Trino that answers each statement with prepared pages. */
export interface ScriptedTrino {
  url: string;
  arrived: ArrivedStatement[];
  cancelled: string[];
}

export async function scriptedTrino(answer: (sql: string) => Pages): Promise<ScriptedTrino> {
  const arrived: ArrivedStatement[] = [];
  const cancelled: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      if (request.method === 'DELETE') {
        cancelled.push(path);
        response.writeHead(204).end();
        return;
      }
      const [, statement, page] = /^\/v1\/statement\/(\d+)\/(\d+)$/.exec(path) ?? [];
      if (statement === undefined) {
        arrived.push({
          sql: Buffer.concat(chunks).toString(),
          catalog: String(request.headers['x-trino-catalog']),
          schema: String(request.headers['x-trino-schema']),
        });
      }
      const number = statement === undefined ? arrived.length - 1 : Number(statement);
      const at = Number(page ?? 0);
      const pages = answer(arrived[number]?.sql ?? '');
      const nextUri = `http://127.0.0.1:${portOf(server)}/v1/statement/${number}/${at + 1}`;
      const stats = { cpuTimeMillis: 0, physicalInputBytes: 0 };
      const body =
        pages === 'never ends'
          ? { stats, nextUri }
          : { stats, ...pages[at], ...(at + 1 < pages.length && { nextUri }) };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${portOf(server)}`, arrived, cancelled };
}
