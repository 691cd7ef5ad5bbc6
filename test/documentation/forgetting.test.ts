import { describe, expect, it } from 'vitest';
import { whatStays } from '#bin/daybook/forget/forget.ts';
import { dataLifecycle } from '#lib/data-stack.ts';
import { readSettings } from '#lib/settings.ts';
import { textOf } from '#support/documentation/documents.ts';

const text = textOf('docs/forgetting.md');

describe('docs/forgetting.md', () => {
  it('names everything that the commands leave', () => {
    const rows = [...text.matchAll(/^\| ([^|]+?) +\|/gm)].map(([, what]) => what);
    const stays = whatStays('prod', true).map(([what]) => what);
    expect(stays.filter((what) => !rows.some((row) => row?.startsWith(what)))).toEqual([]);
  });

  it('sums up how long data of a customer can stay', () => {
    const steps = [...text.matchAll(/^\| [^|*]+\| (\d+) +\|$/gm)].map(([, days]) => Number(days));
    const sum = steps.reduce((one, other) => one + other, 0);
    expect(text).toContain(`dataDays + ${sum}`);
    const { dataDays } = readSettings('prod').retention;
    expect(text).toContain(`with ${dataDays} \`dataDays\``);
    expect(text).toContain(`after ${dataDays + sum} days`);
  });

  it('says how long old versions stay', () => {
    const rules = dataLifecycle(readSettings('prod'));
    const daysOf = (days: number) =>
      rules.filter(({ noncurrentVersionExpiration: kept }) => kept?.toDays() === days);
    expect(daysOf(30).map(({ prefix }) => prefix)).toEqual(['days/', 'statements/', 'mail/', 'config/']);
    expect(daysOf(1)).toHaveLength(rules.filter(({ prefix }) => prefix !== undefined).length - 4);
    const told = dataLifecycle({ ...readSettings('prod'), events: { webhooks: [] } });
    const ofFive = told.filter(({ noncurrentVersionExpiration: kept }) => kept?.toDays() === 5);
    expect(ofFive.map(({ prefix }) => prefix)).toEqual(['mail-stops/', 'alerts/']);
    expect(text.replaceAll('\n', ' ')).toContain('those of `alerts/` and `mail-stops/` go after 5 days');
    expect(text.replaceAll('\n', ' ')).toContain(
      'Old versions go after one day, those of `days/`, `statements/`, `mail/` and `config/` after 30 days.',
    );
  });
});
