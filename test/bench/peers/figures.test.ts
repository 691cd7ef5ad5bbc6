import { describe, expect, it } from 'vitest';
import { figuresIn } from '#bench/peers/peers.ts';

describe('the figures of an output', () => {
  it('are count and exact sum of its JSON lines', () => {
    const lines = '{"id":1,"amount":"0.100"}\n{"id":2,"amount":"0.200"}\n';
    expect(figuresIn([lines, '{"id":3,"amount":"-0.050"}\n'])).toEqual({ invoices: 3, total: '0.250' });
  });

  it('are those of the records in messages of Singer and of Airbyte', () => {
    const messages = [
      '{"type":"SCHEMA","stream":"invoices"}',
      '{"type":"RECORD","stream":"invoices","record":{"id":1,"amount":"1.000"}}',
      '{"type":"LOG","log":{"message":"…"}}',
      '{"type":"RECORD","record":{"stream":"invoices","data":{"id":2,"amount":"2.005"}}}',
    ];
    expect(figuresIn([messages.join('\n')])).toEqual({ invoices: 2, total: '3.005' });
  });

  it('are none without output', () => {
    expect(figuresIn([])).toEqual({ invoices: 0, total: '0.000' });
  });

  it('are refused when an invoice has no amount', () => {
    expect(() => figuresIn(['{"id":1}'])).toThrow('not a decimal string');
  });
});
