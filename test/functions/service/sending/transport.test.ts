import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { Transport, type HttpAnswer } from '#service/sending/transport.ts';
import { listening } from '#support/machine.ts';
import net from 'node:net';

/** The test measures real time. A machine that is busy for a moment must not turn it red. */
const BUSY_MACHINE = { retry: 2 };

/** A service that does this with each request, byte for byte, and a transport that sends requests to it. */
async function service(
  serve: (socket: Socket, request: string, connection: number) => void,
  { timeout = 500, time = 5_000 } = {},
) {
  const sockets: Socket[] = [];
  const server = net.createServer((socket) => {
    const connection = sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => serve(socket, bytes.toString('latin1'), connection));
  });
  const url = `http://${await listening(server)}/path`;
  const transport = new Transport();
  onTestFinished(() => {
    transport.close();
    for (const socket of sockets) socket.destroy();
  });
  const send = (): Promise<HttpAnswer> =>
    transport.send(
      { operation: 'page', method: 'GET', url, headers: {} },
      { timeout, deadline: Date.now() + time, now: Date.now },
    );
  return { transport, send, sockets };
}

/** What the transport reads of each answer, as text. */
async function asking(serve: (socket: Socket, request: string) => void): Promise<() => Promise<string>> {
  const { send } = await service(serve);
  return async () => (await send()).body.toString();
}

function answer(body: string | Uint8Array, headers = ''): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${bytes.length}\r\n${headers}\r\n`),
    bytes,
  ]);
}

describe('an unexpected kind of answer', () => {
  it('is a failed connection if it changes the protocol', { timeout: 2_000 }, async () => {
    const send = await asking((socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n'),
    );
    await expect(send()).rejects.toMatchObject({ name: 'ConnectionError', code: 'ECONNRESET' });
  });

  it('is ignored if it only announces another answer', async () => {
    const send = await asking((socket) =>
      socket.write(Buffer.concat([Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n'), answer('{}')])),
    );
    expect(await send()).toBe('{}');
  });
});

describe('a connection that is kept open', () => {
  it(
    'loses no request if the service closes it after every answer without notice',
    BUSY_MACHINE,
    async () => {
      const send = await asking((socket) => socket.end(answer('{}')));
      for (let request = 0; request < 10; request += 1) expect(await send()).toBe('{}');
    },
  );

  it.each([
    ['a whole answer', answer('"of nobody"')],
    ['the beginning of an answer', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{'],
    ['bytes that are no HTTP', 'of nobody\r\n\r\n'],
  ])('is not used again after it sent what nobody asked for: %s', async (_what, unasked) => {
    let requests = 0;
    const { send, sockets } = await service((socket) => {
      requests += 1;
      socket.write(answer(`"of request ${requests}"`));
    });
    const text = async () => (await send()).body.toString();
    expect(await text()).toBe('"of request 1"');
    await sleep(20);
    // It is on its way while the next request begins.
    for (const socket of sockets) socket.write(unasked);
    expect([await text(), await text()]).toEqual(['"of request 2"', '"of request 3"']);
    expect([requests, sockets[0]?.closed]).toEqual([3, true]);
  });

  it('is not used again after it sent the first piece of an answer that nobody asked for', async () => {
    const [piece, rest] = ['HTTP/1.1 200 OK\r\ncontent-le', 'ngth: 11\r\n\r\n"of nobody"'];
    const sockets = new Set<Socket>();
    let requests = 0;
    const send = await asking((socket) => {
      requests += 1;
      if (sockets.has(socket)) socket.write(rest);
      sockets.add(socket);
      socket.write(answer(`"of request ${requests}"`));
    });
    expect(await send()).toBe('"of request 1"');
    // The rest is written after the next request, before its answer.
    for (const socket of sockets) socket.write(piece);
    expect(await send()).toBe('"of request 2"');
    expect(requests).toBe(2);
    expect([...sockets][0]).toMatchObject({ closed: true });
  });

  it('that the service resets before any answer makes its request fail, every time', async () => {
    let requests = 0;
    const send = await asking((socket) => {
      requests += 1;
      if (requests === 1) socket.write(answer('{}'));
      else socket.resetAndDestroy();
    });
    await send();
    await expect(send()).rejects.toMatchObject({ name: 'ConnectionError', code: 'ECONNRESET' });
    expect(requests).toBe(3);
  });
});

it('a request names its sender, because some firewalls refuse requests without a name', async () => {
  let head = '';
  const send = await asking((socket, request) => {
    head = request;
    socket.write(answer('{}'));
  });
  await send();
  expect(head).toMatch(/^user-agent: node\r$/im);
});

it.each([
  ['gzip', gzipSync('{"a":1}')],
  ['x-gzip', gzipSync('{"a":1}')],
  ['deflate', deflateSync('{"a":1}')],
  // Some services use the name deflate for this format.
  ['deflate', deflateRawSync('{"a":1}')],
  ['br', brotliCompressSync('{"a":1}')],
  ['gzip, br', brotliCompressSync(gzipSync('{"a":1}'))],
])('a compressed answer is unpacked: %s', async (coding, body) => {
  const send = await asking((socket) => socket.write(answer(body, `content-encoding: ${coding}\r\n`)));
  expect(await send()).toBe('{"a":1}');
});

/** No time-out is over before the transport is closed. */
const PATIENT = { timeout: 60_000, time: 60_000 };

async function closed(socket: Socket | undefined): Promise<boolean> {
  if (socket === undefined) return false;
  if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
  return socket.destroyed;
}

describe('a transport that is closed', () => {
  it('ends the requests under way, and their connections', async () => {
    const asked = Promise.withResolvers<undefined>();
    const { transport, send, sockets } = await service(() => asked.resolve(undefined), PATIENT);
    const sent = send();
    await asked.promise;
    transport.close();
    await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
    expect(await closed(sockets[0])).toBe(true);
  });

  it('ends a request that went out a second time, over a new connection', async () => {
    const askedAgain = Promise.withResolvers<undefined>();
    const requests: number[] = [];
    const { transport, send, sockets } = await service((socket, _request, connection) => {
      requests.push(connection);
      if (requests.length === 1) socket.write(answer('{}'));
      else if (connection === 1) socket.destroy();
      else askedAgain.resolve(undefined);
    }, PATIENT);
    (await send()).giveBack();
    const sent = send();
    await askedAgain.promise;
    transport.close();
    await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
    expect(requests).toEqual([1, 1, 2]);
    expect(await closed(sockets[1])).toBe(true);
  });

  it('sends nothing more', async () => {
    const { transport, send, sockets } = await service((socket) => socket.write(answer('{}')));
    transport.close();
    await expect(send()).rejects.toMatchObject({ name: 'AbortError' });
    expect(sockets).toEqual([]);
  });
});
