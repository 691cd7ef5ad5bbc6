import type { Answer } from './service.ts';

/** An answer with a JSON body. */
export function jsonAnswer(
  body: unknown,
  contentType = 'application/json',
  more: { status?: number; headers?: Record<string, string> } = {},
): Answer {
  return {
    status: more.status ?? 200,
    headers: { 'content-type': contentType, ...more.headers },
    body: JSON.stringify(body),
  };
}

/** Seconds since 1970, as the JSON protocols write times. */
export function epochSeconds(time: Date): number {
  return time.getTime() / 1_000;
}
