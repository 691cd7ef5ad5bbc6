import type { AddressInfo, Socket } from 'node:net';
import net from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Transport } from '../../../../functions/shared/payments/transport.ts';
import type { HttpAnswer } from '../../../../functions/shared/payments/transport.ts';

/** Sends one request after another to a service that does this with each of them, byte for byte. */
async function asking(serve: (socket: Socket, request: string) => void): Promise<() => Promise<HttpAnswer>> {
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => serve(socket, bytes.toString('latin1')));
    onTestFinished(() => void socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const transport = new Transport();
  onTestFinished(() => {
    transport.close();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/path`;
  const signal = new AbortController().signal;
  return () =>
    transport.send(
      { operation: 'page', method: 'GET', url, headers: {} },
      { timeout: 500, deadline: Date.now() + 5_000, now: Date.now, signal },
    );
}

function answer(body: string | Uint8Array, headers = ''): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${bytes.length}\r\n${headers}\r\n`),
    bytes,
  ]);
}

describe('an answer that nobody asked for', () => {
  it('is a failed connection where it changes the protocol', { timeout: 2_000 }, async () => {
    const send = await asking((socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n'),
    );
    await expect(send()).rejects.toMatchObject({ name: 'ConnectionError', code: 'ECONNRESET' });
  });

  it('is passed over where it only announces another', async () => {
    const send = await asking((socket) =>
      socket.write(Buffer.concat([Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n'), answer('{}')])),
    );
    expect((await send()).text).toBe('{}');
  });
});
