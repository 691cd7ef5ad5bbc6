import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fragmentOf } from '../../lib/constructs/runbook-alarm.ts';
import { synthesise } from './synthesised.ts';

interface Alarm {
  AlarmName: string;
  AlarmDescription: string;
  AlarmActions: unknown[];
  OKActions: unknown[];
  TreatMissingData: string;
}

const runbook = readFileSync(resolve(import.meta.dirname, '../../docs/runbook.md'), 'utf8');
const sections = new Map(
  runbook
    .split(/^## /m)
    .slice(1)
    .map((section) => [fragmentOf(section.split('\n')[0]!), section]),
);
const { templates, settings } = synthesise('prod');
const alarms = Object.values(templates).flatMap((template) =>
  Object.values(
    template.findResources('AWS::CloudWatch::Alarm') as Record<string, { Properties: Alarm }>,
  ).map(({ Properties }) => Properties),
);

describe('alarms', () => {
  it('exist for every way in which a report can be missing or wrong', () => {
    expect(alarms.map(({ AlarmName }) => AlarmName.replace('daybook-prod-', '')).toSorted())
      .toMatchInlineSnapshot(`
        [
          "alert-check-cipher-failures",
          "alert-check-mails-held",
          "alert-check-slow",
          "alert-check-throttled",
          "alerts-executions-failed",
          "bounce-rate",
          "complaint-rate",
          "daily-report-cipher-failures",
          "daily-report-mails-held",
          "daily-report-slow",
          "daily-report-throttled",
          "days-unbalanced",
          "dead-letters",
          "delivery-watch-slow",
          "delivery-watch-throttled",
          "mail-events-slow",
          "mail-events-throttled",
          "plan-slow",
          "plan-throttled",
          "registry-entries-rejected",
          "registry-not-used",
          "reports-did-not-run",
          "reports-executions-failed",
          "reports-missing",
          "sweep-did-not-run",
          "sweep-mails-held",
          "sweep-slow",
          "sweep-throttled",
          "watch-did-not-run",
        ]
      `);
  });

  it.each(alarms.map((alarm) => [alarm.AlarmName, alarm] as const))(
    '%s says its impact and links a section that names it',
    (name, alarm) => {
      const [, impact, link] = /^(.+\.) Runbook: (\S+)$/.exec(alarm.AlarmDescription) ?? [];
      expect(impact).toBeDefined();
      const [url, fragment = ''] = link!.split('#');
      expect(url).toBe(settings.ops.runbook);
      expect(sections.get(fragment), `docs/runbook.md has no heading for #${fragment}`).toContain(
        `\`${name.replace('daybook-prod-', '')}\``,
      );
    },
  );

  it.each([...sections])(
    'the section %s tells what it is, how to look into it and how to mend it',
    (_, section) => {
      for (const part of ['**Description.**', '**Investigation.**', '**Resolution.**'])
        expect(section).toContain(part);
    },
  );

  it('tell the topic when they come and when they go', () => {
    for (const alarm of alarms) {
      expect(alarm.AlarmActions).toHaveLength(1);
      expect(alarm.OKActions).toEqual(alarm.AlarmActions);
    }
  });

  it('take silence for a failure where silence is one', () => {
    const silent = alarms.filter(({ TreatMissingData }) => TreatMissingData === 'breaching');
    expect(silent.map(({ AlarmName }) => AlarmName)).toEqual([
      'daybook-prod-reports-did-not-run',
      'daybook-prod-watch-did-not-run',
      'daybook-prod-sweep-did-not-run',
    ]);
  });
});
