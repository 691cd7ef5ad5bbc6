import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fastify } from 'fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { UsageError } from '../daybook/terminal/command-errors.ts';
import { harmlessHtml } from './harmless-html.ts';
import type { MailSource, ShownMail } from './mails.ts';
import { SCHEMES, VIEWS, WIDTHS, inScheme, mailsPage } from './page.ts';

export interface MailPages {
  url: string;
  closed: Promise<void>;
  close: () => Promise<void>;
}

/** The policy of our own pages: their style sheet, frames of this server, and only the script of a live page. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src data:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const LIVE_POLICY = `${PAGE_POLICY}; script-src 'self'; connect-src 'self'`;
/** The policy of a mail's HTML, which may contain anything. `sandbox` also holds when it is opened outside its frame. */
const MAIL_POLICY =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/** Bytes. A mail's id is the name of its file, which begins with the recipient's address. */
const LONGEST_FILE_NAME = 255;

const parameters = z.object({ id: z.string(), index: z.coerce.number().int().catch(-1) });
const query = z.object({
  view: z.enum(VIEWS).catch('html'),
  width: z.enum(WIDTHS).catch('full'),
  scheme: z.enum(SCHEMES).catch('own'),
});

const LIVE = "new EventSource('/changes').onmessage = () => location.reload();\n";

/** Sends bytes as a download; the browser never shows them. */
function sendFile(reply: FastifyReply, name: string, bytes: Uint8Array): FastifyReply {
  return reply
    .type('application/octet-stream')
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name.toWellFormed())}`)
    .send(Buffer.from(bytes));
}

function notFound(reply: FastifyReply): FastifyReply {
  return reply.code(404).send('not found');
}

/** Reads the mails at every request. `port`: 0 for any free one. @throws {UsageError} when it is taken or forbidden */
export async function openMailPages(source: MailSource, port: number): Promise<MailPages> {
  const server = fastify({
    forceCloseConnections: true,
    routerOptions: { maxParamLength: LONGEST_FILE_NAME },
  });
  const style = await readFile(join(import.meta.dirname, 'mail-pages.css'), 'utf8');

  server.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'content-security-policy': source.watch === undefined ? PAGE_POLICY : LIVE_POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-dns-prefetch-control': 'off',
      'cache-control': 'no-store',
    });
    // A foreign page could have a name that leads to this address, and could then read the mails as its own.
    if (!['127.0.0.1', 'localhost'].includes(request.hostname))
      await reply.code(403).send('not served for this host name');
  });

  async function found(
    params: unknown,
  ): Promise<{ mails: ShownMail[]; mail: ShownMail; index: number } | undefined> {
    const { id, index } = parameters.parse(params);
    const mails = await source.read();
    const mail = mails.find((candidate) => candidate.id === id);
    return mail && { mails, mail, index };
  }

  server.get('/mail-pages.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(style));
  const page = (mails: ShownMail[], chosen: ShownMail | undefined, request: FastifyRequest) =>
    mailsPage({
      title: source.title,
      mails,
      shown: chosen ?? mails[0],
      chosen: chosen !== undefined,
      look: query.parse(request.query),
      live: source.watch !== undefined,
    });
  server.get('/', async (request, reply) => {
    const mails = await source.read();
    return reply.type('text/html; charset=utf-8').send(page(mails, undefined, request));
  });
  server.get('/mail/:id', async (request, reply) => {
    const open = await found(request.params);
    if (open === undefined) return reply.redirect('/');
    return reply.type('text/html; charset=utf-8').send(page(open.mails, open.mail, request));
  });
  server.get('/mail/:id/html', async (request, reply) => {
    const html = (await found(request.params))?.mail.email.html;
    if (html === undefined) return notFound(reply);
    return reply
      .header('content-security-policy', MAIL_POLICY)
      .type('text/html; charset=utf-8')
      .send(inScheme(harmlessHtml(html), query.parse(request.query).scheme));
  });
  const { watch } = source;
  if (watch !== undefined) {
    server.get('/live.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(LIVE));
    server.get('/changes', (_request, reply) => {
      const events = new PassThrough();
      // The first byte also sends the headers. They tell the page that it is connected.
      events.write(': open\n\n');
      const end = watch(() => events.write('data: changed\n\n'));
      events.once('close', end);
      return reply.type('text/event-stream').send(events);
    });
  }
  server.get('/mail/:id/attachment/:index', async (request, reply) => {
    const open = await found(request.params);
    const attachment = open?.mail.email.attachments[open.index];
    if (attachment === undefined || typeof attachment.content === 'string') return notFound(reply);
    return sendFile(reply, attachment.filename ?? 'attachment', new Uint8Array(attachment.content));
  });
  server.get('/mail/:id/source', async (request, reply) => {
    const mail = (await found(request.params))?.mail;
    return mail === undefined ? notFound(reply) : sendFile(reply, `${mail.id}.eml`, mail.raw);
  });

  const closed = new Promise<void>((resolve) => {
    server.addHook('onClose', async () => {
      await Promise.resolve();
      resolve();
    });
  });
  const url = `${await listen(() => server.listen({ port, host: '127.0.0.1' }), port)}/`;
  return { url, closed, close: () => server.close() };
}

async function listen(start: () => Promise<string>, port: number): Promise<string> {
  try {
    return await start();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') throw new UsageError(`port ${port} is in use; choose another with --port`);
    if (code === 'EACCES') throw new UsageError(`port ${port} is not allowed; choose another with --port`);
    throw error;
  }
}
