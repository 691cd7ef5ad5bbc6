import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DOCUMENTS, textOf } from '#support/documentation/documents.ts';
import { rowsOf } from '#support/documentation/markdown.ts';

const DECISIONS = DOCUMENTS.filter((path) => /^docs\/adr\/\d/.test(path));
const OVERVIEW = rowsOf(textOf('docs/adr/README.md'), 'number');

/** The decisions that a text links. */
function linkedIn(text: string): string[] {
  return [...text.matchAll(/\]\((\d{4}-[\w-]+\.md)\)/g)].map(([, link = '']) => link).sort();
}

describe.each(DECISIONS)('%s', (path) => {
  const [, title = '', status = '', date = ''] =
    /^# (\d+\. .*)\n\n- Status: (.*)\n- Date: (.*)\n\n/.exec(textOf(path)) ?? [];

  it('says its status and its date', () => {
    expect(status).toMatch(/^(accepted|superseded( in part)?: .*)$/);
    expect(date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    if (status !== 'accepted') expect(linkedIn(status)).not.toEqual([]);
  });

  it('is in the overview with its number, title, status and date', () => {
    const [number = '', name = ''] = title.split(/\. (.*)/s);
    expect(basename(path).startsWith(`${number.padStart(4, '0')}-`)).toBe(true);
    const row = OVERVIEW.find(([first]) => first === number);
    expect(row?.[1]).toBe(`[${name}](${basename(path)})`);
    const [short = ''] = status.split(':');
    expect(row?.[2]?.startsWith(short)).toBe(true);
    expect(linkedIn(row?.[2] ?? '')).toEqual(linkedIn(status));
    expect(row?.[3]).toBe(date);
  });
});

it('the overview of decisions lists only decisions that exist', () => {
  expect(OVERVIEW).toHaveLength(DECISIONS.length);
});
