import { describe, expect, test } from 'vitest';
import { assertServiceAllowed, ForbiddenOriginError, serviceUrl } from '#registry/service-origin.ts';
import { ANY_CHARACTER } from '#support/fuzz/any-character.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

const ALLOWED = ['https://pay.example.com', 'http://127.0.0.1:4080'];

function service(members: Partial<Parameters<typeof assertServiceAllowed>[0]> = {}) {
  return {
    baseUrl: 'https://pay.example.com',
    loginPath: '/api/v1/login',
    refreshPath: '/api/v1/token-refresh',
    refundListPath: '/api/v1/refund/',
    ...members,
  };
}

/** The refusal names this member of the service. */
function expectRefusal(members: Parameters<typeof service>[0], member: string, more: object = {}): void {
  expect(() => assertServiceAllowed(service(members), ALLOWED)).toThrow(
    expect.objectContaining({ name: 'ForbiddenOriginError', member, ...more }),
  );
}

describe('credentials may be sent to', () => {
  test.each([
    'https://pay.example.com',
    'https://PAY.example.com/',
    'https://pay.example.com:443/merchant/',
    'http://127.0.0.1:4080',
  ])('%s', (baseUrl) => {
    expect(() => assertServiceAllowed(service({ baseUrl }), ALLOWED)).not.toThrow();
  });

  test.each([
    'https://evil.example',
    'http://pay.example.com',
    'https://pay.example.com:8443',
    'https://pay.example.com.evil.example',
    'https://pay.example.com.',
    'https://pay.example.com@evil.example',
    'https://pay.example.com%2f@evil.example',
    'https://evil.example#@pay.example.com',
    'https://evil.example\\@pay.example.com',
    'https:/\\evil.example/pay.example.com',
    'https://раy.example.com',
    'https://pay.example.com?next=https://evil.example',
    'https://pay.example.com/#x',
    'blob:https://pay.example.com/x',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,https://pay.example.com',
    '//pay.example.com',
    'pay.example.com',
    '',
  ])('but not to %s', (baseUrl) => {
    expectRefusal({ baseUrl }, 'service.baseUrl');
  });

  test('but not to a URL with a user name or password, and the error does not repeat them', () => {
    for (const baseUrl of ['https://merchant@pay.example.com', 'https://:hunter2@pay.example.com']) {
      const message = "the registry's service.baseUrl must not have a user name or a password";
      expectRefusal({ baseUrl }, 'service.baseUrl', { message });
    }
  });

  test.each([
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '\t//evil.example',
    'https://evil.example/login',
    'https:evil.example',
    '@evil.example',
    '.evil.example',
    ':8443/login',
    '',
  ])('and no path leads to another origin: %j', (path) => {
    for (const member of ['loginPath', 'refreshPath', 'refundListPath']) {
      expectRefusal({ [member]: path }, `service.${member}`);
    }
    expect(() => serviceUrl(service(), path)).toThrow(ForbiddenOriginError);
  });
});

describe('the address of an operation', () => {
  test.each([
    ['https://pay.example.com', '/api/v1/login', 'https://pay.example.com/api/v1/login'],
    ['https://pay.example.com/', '/api/v1/refund/', 'https://pay.example.com/api/v1/refund/'],
    ['https://pay.example.com/v2/x', '/login', 'https://pay.example.com/v2/x/login'],
    ['https://pay.example.com/v2//', '/login', 'https://pay.example.com/v2/login'],
    ['http://127.0.0.1:4080', '/a?b#c', 'http://127.0.0.1:4080/a%3Fb%23c'],
  ])('%s and %s', (baseUrl, path, url) => {
    expect(serviceUrl({ baseUrl }, path).href).toBe(url);
  });

  test('is a new URL each time', () => {
    serviceUrl(service(), '/a').searchParams.set('data', 'x');
    expect(serviceUrl(service(), '/a').search).toBe('');
  });

  test('has the origin of the base URL with any path', () => {
    const hostile = fc
      .array(fc.constantFrom('/', '\\', '@', ':', '..', '?', '#', '\t', '\n', 'evil.example', '%2f', ' '), {
        maxLength: 8,
      })
      .map((parts) => parts.join(''));
    forAll([fc.oneof(hostile, fc.string({ unit: ANY_CHARACTER }))], { numRuns: 1_000 }, (path) => {
      let url: URL;
      try {
        url = serviceUrl(service({ baseUrl: 'https://pay.example.com/v2' }), path);
      } catch (error) {
        expect(error).toBeInstanceOf(ForbiddenOriginError);
        return;
      }
      expect(url.origin).toBe('https://pay.example.com');
      expect(url.username + url.password).toBe('');
    });
  });
});
