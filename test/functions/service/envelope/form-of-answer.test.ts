import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readInvoicePage } from '#service/invoices/invoice-list.ts';
import { formOf } from '#service/envelope/envelope.ts';
import { DAY, failureOf, startService, fault } from '#support/payments/running-service.ts';

function form(body: string | Buffer, contentType?: string): string {
  return formOf({
    exchange: { operation: 'invoice list', status: 200 },
    contentType,
    body: Buffer.from(body),
  });
}

describe('what is said of an answer that cannot be read', () => {
  it.each([
    ['<!DOCTYPE html>\n<title>canary</title>', 'it begins like HTML'],
    ['\uFEFF \n<HTML lang="ar">canary', 'it begins like HTML'],
    ['<?xml version="1.0"?><canary/>', 'it begins like XML'],
    [gzipSync('canary'), 'it begins like gzip, which was not announced or is cut off'],
    ['', 'it is empty'],
    ['{"status":true,"canary":', 'it begins like JSON'],
    ['canary', 'it begins with other bytes'],
    [Buffer.from([0, 255, 31, 139]), 'it begins with other bytes'],
  ])('is the kind of its first bytes: %j', (body, said) => {
    expect(form(body)).toBe(`HTTP 200, no content type, ${said}`);
  });

  it.each([
    ['text/html', 'text/html'],
    ['Text/HTML; charset=canary', 'text/html'],
    ['application/problem+json ;canary', 'application/problem+json'],
    ['canary', 'another content type'],
    ['canary secret/x', 'another content type'],
    [`text/${'x'.repeat(50)}`, 'another content type'],
    ['text/x canary', 'another content type'],
  ])('is its content type, if it looks like one: %j', (contentType, said) => {
    expect(form('', contentType)).toBe(`HTTP 200, ${said}, it is empty`);
  });

  it.each([
    ['HTML', { kind: 'html', status: 200 } as const, 'HTTP 200, text/html, it begins like HTML'],
    [
      'gzip that is not announced',
      { kind: 'replace', body: (text: string) => gzipSync(text) } as const,
      'HTTP 200, application/json, it begins like gzip, which was not announced or is cut off',
    ],
    [
      'gzip that is cut off',
      {
        kind: 'replace',
        body: (text: string) => gzipSync(text).subarray(0, 40),
        headers: { 'content-encoding': 'gzip' },
      } as const,
      'HTTP 200, application/json, it begins like gzip, which was not announced or is cut off',
    ],
  ])('is in the error of a request: %s', async (_what, action, said) => {
    const { client, sandbox } = await startService();
    fault(sandbox, 'invoices', action, { times: Infinity });
    const error = await failureOf(readInvoicePage(client, DAY, '1', 1));
    expect(error.name).toBe('MalformedAnswerError');
    expect(error.message).toBe(
      `invoice list (invoiceType 1, page 1): the answer is not JSON in UTF-8, or was cut off: ${said}`,
    );
  });
});
