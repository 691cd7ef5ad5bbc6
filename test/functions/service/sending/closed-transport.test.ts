import net from 'node:net';
import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Transport } from '#service/sending/transport.ts';
import { portOf } from '#sandbox/ports.ts';

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';

/** A service that does this with each request, and counts its connections. */
async function service(serve: (socket: Socket, connection: number) => void) {
  const sockets: Socket[] = [];
  const server = net.createServer((socket) => {
    sockets.push(socket);
    const connection = sockets.length;
    socket.on('error', () => undefined);
    socket.on('data', () => serve(socket, connection));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const transport = new Transport();
  const url = `http://127.0.0.1:${portOf(server)}/path`;
  const send = () =>
    transport.send(
      { operation: 'page', method: 'GET', url, headers: {} },
      { timeout: 60_000, deadline: Date.now() + 60_000, now: Date.now },
    );
  return { transport, send, sockets };
}

async function closed(socket: Socket | undefined): Promise<boolean> {
  if (socket === undefined) return false;
  if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
  return socket.destroyed;
}

describe('a transport that is closed', () => {
  it('ends the requests under way, and their connections', async () => {
    const asked = Promise.withResolvers<undefined>();
    const { transport, send, sockets } = await service(() => asked.resolve(undefined));
    const sent = send();
    await asked.promise;
    transport.close();
    await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
    expect(await closed(sockets[0])).toBe(true);
  });

  it('ends a request that went out a second time, over a new connection', async () => {
    const askedAgain = Promise.withResolvers<undefined>();
    const requests: number[] = [];
    const { transport, send, sockets } = await service((socket, connection) => {
      requests.push(connection);
      if (requests.length === 1) socket.write(ANSWER);
      else if (connection === 1) socket.destroy();
      else askedAgain.resolve(undefined);
    });
    (await send()).giveBack();
    const sent = send();
    await askedAgain.promise;
    transport.close();
    await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
    expect(requests).toEqual([1, 1, 2]);
    expect(await closed(sockets[1])).toBe(true);
  });

  it('sends nothing more', async () => {
    const { transport, send, sockets } = await service((socket) => socket.write(ANSWER));
    transport.close();
    await expect(send()).rejects.toMatchObject({ name: 'AbortError' });
    expect(sockets).toEqual([]);
  });
});
