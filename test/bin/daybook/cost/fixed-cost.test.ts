import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { FIXED } from '#bin/daybook/cost/model/cost.ts';
import { metricsOfReadmes } from '#support/documentation/metrics.ts';
import { propertiesOf } from '#support/stacks/properties-of.ts';
import { synthesise } from '#support/stacks/synthesised.ts';

const { templates } = await synthesise('prod');
const alarmSchema = z.object({
  Metrics: z.array(z.object({ MetricStat: z.unknown().optional() })).optional(),
});

/** How many metrics an alarm is charged for: those that it reads, not the expression over them. */
function metricsOf({ Metrics }: z.infer<typeof alarmSchema>): number {
  return Metrics?.filter(({ MetricStat }) => MetricStat !== undefined).length ?? 1;
}

function count(type: string): number {
  return Object.values(templates).reduce(
    (sum, each) => sum + Object.keys(each.findResources(type)).length,
    0,
  );
}

describe('the fixed cost of a stage', () => {
  it('counts the metrics of all alarms', () => {
    const alarms = Object.values(templates).flatMap((each) =>
      Object.values(propertiesOf(each, 'AWS::CloudWatch::Alarm', alarmSchema)),
    );
    expect(alarms.map(metricsOf).reduce((sum, metrics) => sum + metrics, 0)).toBe(FIXED.alarmMetrics);
    // Executions that failed, timed out and were stopped, of three state machines.
    expect(alarms.filter((alarm) => metricsOf(alarm) === 3)).toHaveLength(3);
    expect(alarms).toHaveLength(FIXED.alarmMetrics - 3 * 2);
  });

  it('counts the dashboards, the keys, and every metric of Daybook', () => {
    expect(count('AWS::CloudWatch::Dashboard')).toBe(FIXED.dashboards);
    expect(count('AWS::KMS::Key')).toBe(FIXED.keys);
    // The state machine of the history counts its daily runs. No function does it, so no README names it.
    expect(metricsOfReadmes().length + 1).toBe(FIXED.metrics);
  });
});
