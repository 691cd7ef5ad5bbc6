import { gzipSync } from 'node:zlib';
import { jsonAnswer, type Answer } from './answer.ts';
import { ERROR_BODIES } from './envelopes.ts';
import type { PaymentsFaultAction } from './faults.ts';
import type { RequestFacts } from './request-facts.ts';

const HTML =
  '<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>\n';

const MEGABYTE = 1_048_576;

function largeBody(megabytes: number): Buffer {
  const head = '{"status":true,"message":"';
  const tail = '","response":null}';
  const filling = Math.max(0, Math.round(megabytes * MEGABYTE) - head.length - tail.length);
  return Buffer.concat([Buffer.from(head), Buffer.alloc(filling, 'x'), Buffer.from(tail)]);
}

/** The answer that a fault gives instead of the service; undefined if the service answers itself. */
export function answerInstead(action: PaymentsFaultAction | undefined): Answer | undefined {
  switch (action?.kind) {
    case 'status': {
      const { retryAfter } = action;
      const wait = retryAfter instanceof Date ? retryAfter.toUTCString() : String(retryAfter);
      const headers = { ...(retryAfter !== undefined && { 'retry-after': wait }), ...action.headers };
      return jsonAnswer(action.status, action.body ?? '', headers);
    }
    case 'server-error':
      return jsonAnswer(action.status, ERROR_BODIES.serverError.body);
    case 'html':
      return jsonAnswer(action.status ?? 502, HTML, { 'content-type': 'text/html; charset=utf-8' });
    case 'redirect':
      return jsonAnswer(action.status ?? 302, '', { location: action.location });
    case 'large':
      return jsonAnswer(200, largeBody(action.megabytes));
    case 'deep':
      return jsonAnswer(200, '['.repeat(action.levels) + ']'.repeat(action.levels));
    default:
      return undefined;
  }
}

/** The service's answer, changed by a fault. */
export function alteredAnswer(
  action: PaymentsFaultAction | undefined,
  answer: Answer,
  request: RequestFacts,
): Answer {
  const { status, headers, body } = answer;
  switch (action?.kind) {
    case 'gzip':
      return { status, headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(body) };
    case 'content-type':
      return { status, headers: { ...headers, 'content-type': action.value }, body };
    case 'cut-json':
      return { status, headers, body: body.subarray(0, Math.floor(body.length / 2)) };
    case 'replace':
      return jsonAnswer(action.status ?? status, action.body(body.toString('utf8'), request), {
        ...headers,
        ...action.headers,
      });
    default:
      return answer;
  }
}
