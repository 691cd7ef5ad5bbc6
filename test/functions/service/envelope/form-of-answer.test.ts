import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { formOf } from '#service/envelope/envelope.ts';

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
});
