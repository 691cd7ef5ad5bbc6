import { StateMachine } from 'aws-local-stepfunctions';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escaped, statesText, valueAt } from '#lib/constructs/states-format.ts';
import { defined } from '#support/assertions/defined.ts';

/** The rules of the States Language: a backslash makes the next sign an ordinary one, and `{}` is the next value. */
function format(template: string, values: readonly string[]): string {
  const left = [...values];
  let text = '';
  for (let at = 0; at < template.length; at += 1) {
    const sign = template.charAt(at);
    if (sign === "'") throw new Error('the literal ends here');
    if (sign === '\\') {
      at += 1;
      text += template.charAt(at);
    } else if (template.startsWith('{}', at)) {
      at += 1;
      text += defined(left.shift());
    } else text += sign;
  }
  expect(left).toEqual([]);
  return text;
}

const awkward = fc.string({
  unit: fc.constantFrom('{', '}', "'", '\\', '(', ')', ',', '$', '\n', 'a', ' ', 'é'),
});

describe('a text of States.Format', () => {
  it('is the text with its values, whatever signs they have', () => {
    fc.assert(
      fc.property(awkward, fc.array(fc.tuple(awkward, awkward), { minLength: 1 }), (first, rest) => {
        const text = first + rest.map(([, after], index) => valueAt(`$.v${index}`) + after).join('');
        const built = statesText(text);
        if (built.kind !== 'format') throw new Error('it has values');
        const paths = rest.map((_, index) => `$.v${index}`).join(', ');
        expect(built.expression.startsWith("States.Format('")).toBe(true);
        expect(built.expression.endsWith(`', ${paths})`)).toBe(true);
        const template = built.expression.slice("States.Format('".length, -`', ${paths})`.length);
        const values = rest.map(([value]) => value);
        expect(format(template, values)).toBe(first + rest.map(([value, after]) => value + after).join(''));
      }),
    );
  });

  it('stays as it is without a value', () => {
    fc.assert(
      fc.property(awkward, (text) => {
        expect(statesText(text)).toEqual({ kind: 'constant', text });
        expect(format(escaped(text), [])).toBe(text);
      }),
    );
  });

  it('can have the same value more than once', () => {
    const text = `a ${valueAt('$.x')} b ${valueAt('$.x')}`;
    expect(statesText(text)).toEqual({ kind: 'format', expression: "States.Format('a {} b {}', $.x, $.x)" });
  });

  it('is read so by the runner of the tests', async () => {
    const text = `SELECT '{"a": {}}', regexp_extract(k, '^s3://[^/]+/(.*)$', 1)\nWHERE d IN (${valueAt('$.days')})`;
    const built = statesText(text);
    if (built.kind !== 'format') throw new Error('it has a value');
    const machine = new StateMachine({
      StartAt: 'Pass',
      States: { Pass: { Type: 'Pass', Parameters: { 'sql.$': built.expression }, End: true } },
    });
    const days = `'2026-11-20', '2026-11-21'`;
    await expect(machine.run({ days }).result).resolves.toEqual({
      sql: text.replace(valueAt('$.days'), days),
    });
  });
});
