import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { Served } from './answers.ts';
import { ORDINARY, SHAPES } from './shapes.ts';
import type { Asked, Shape } from './shapes.ts';
import { portOf } from '#support/assertions/port-of.ts';

/** The name under which the ordinary page is served. */
export const ORDINARY_PAGE = 'an ordinary page';

function shapeOf(name: string): Shape {
  const shape = name === ORDINARY_PAGE ? ORDINARY : SHAPES[name];
  if (shape === undefined) throw new Error(`there is no shape ${name}`);
  return shape;
}

function send(response: ServerResponse, { body, headers = {}, chunk }: Served): void {
  response.on('error', () => undefined);
  if (chunk === undefined) {
    response.writeHead(200, { ...headers, 'content-length': body.length }).end(body);
    return;
  }
  response.writeHead(200, headers);
  response.flushHeaders();
  // Written as bytes at once: one write for each chunk would cost the service more than the reader.
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length; at += chunk) {
    const piece = body.subarray(at, at + chunk);
    chunks.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
  }
  chunks.push(Buffer.from('0\r\n\r\n'));
  response.socket?.end(Buffer.concat(chunks));
}

/** A payment service on loopback. The path of a request selects the shape and size of the answer. */
export async function startHostileService() {
  const made = new Map<string, Served>();
  const server = createServer({ keepAlive: true }, (request, response) => {
    const url = new URL(request.url ?? '', 'http://service');
    const [, name = '', bytes = '', ...path] = url.pathname.split('/').map(decodeURIComponent);
    const page = Number(url.searchParams.get('page') ?? '1');
    const isList = path.at(-1) === '';
    const resource = path.includes('refund') ? (isList ? 'refunds' : 'refund') : 'invoices';
    const asked: Asked = { resource, page };
    const key = JSON.stringify([name, bytes, asked]);
    const served = made.get(key) ?? shapeOf(name)(Number(bytes), asked);
    made.set(key, served);
    send(response, served);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${portOf(server)}`;
  return {
    address: (name: string, bytes: number) => `${origin}/${encodeURIComponent(name)}/${bytes}`,
    /** Forgets the answers made so far. */
    forget: () => made.clear(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
