import { SUGGESTED_AFTER, suggestedIgnore } from '#domain/balance/balance-suggestion.ts';
import type { Suggestion } from '#domain/balance/balance-suggestion.ts';
import { addDays, dayAt } from '#domain/day/business-day.ts';
import type { OpsNotice } from '#domain/notices/ops-notice.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import { historyKey, manifestKey } from '#domain/storage/keys.ts';
import type { Dependencies } from '../dependencies.ts';

/** Milliseconds. When less time is left, it is kept for the answer and no notice is sent. */
const LEAST_TIME = 60_000;

type Ports = Pick<Dependencies, 'clock' | 'history' | 'opsNotices' | 'telemetry'>;

interface SuggestionRequest {
  settings: MerchantSettings;
  manifest: Manifest;
  /** When the function ends, milliseconds UTC. */
  end: number;
}

/** The notice to ops when the same comparisons, and no others, have disagreed for a week. */
export function suggestionNotice(
  { merchantCode, balance }: Pick<MerchantSettings, 'merchantCode' | 'balance'>,
  { manifest, suggestion }: { manifest: Manifest; suggestion: Suggestion },
): OpsNotice {
  const { names, from, to } = suggestion;
  const failing = names.map(({ name }) => name);
  const ignore = [...new Set([...balance.ignore, ...failing])];
  return {
    about: `comparisons of ${merchantCode}: ${failing.join(' ')}`,
    merchants: [merchantCode],
    days: [to],
    happened: 'the same comparison disagrees every day',
    meaning: [
      `The last ${SUGGESTED_AFTER} sealed days of merchant ${merchantCode} (${from} to ${to}) are not balanced. On each of them these comparisons disagree, and no other: ${failing.join(', ')}. Days on which there was nothing to compare do not count.`,
      'The rows agree with the totals of their pages. So the service may mean something else by this figure than what the rows add up to.',
    ],
    tried: [
      'Each of these days was sealed and mailed, marked as not balanced. The registry was not changed.',
    ],
    toDo: [
      'Look at "differences" in the manifests, and at "invoiceStatuses" of the registry where a state is named. If rows are wrong, tell the service and change nothing.',
      'If the service really means something else, leave these comparisons out with the last command. It changes the registry, after it has asked you.',
      'From then on, Daybook no longer notices what the list below says. What these comparisons find is still in the manifest (notCompared) and at the end of the mail.',
    ],
    headings: ['notBalanced'],
    commands: [
      {
        shows: 'The manifest of the last of these days',
        does: 'show object',
        key: manifestKey(manifest.day, merchantCode, manifest.revision),
      },
      { shows: 'The days before, and what disagreed', does: 'show object', key: historyKey(merchantCode) },
      {
        shows: 'Leaves these comparisons out',
        does: 'daybook',
        words: ['merchant', 'set', merchantCode, `balance.ignore=${ignore.join(',')}`],
      },
    ],
    list: {
      heading: 'No longer noticed from then on',
      lines: names.map(({ name, lost }) => `${name}: ${lost}.`),
      total: names.length,
    },
  };
}

/**
 * Suggests to ops to leave comparisons out of the check, because these, and no others, have disagreed for a
 * week. Ops get one notice for each merchant and set of comparisons. This runs after the mail, so the mail
 * does not wait for it. If it fails, the next unbalanced day tries again.
 */
export async function suggestIgnore(
  ports: Ports,
  { settings, manifest, end }: SuggestionRequest,
): Promise<void> {
  const { clock, history, opsNotices, telemetry } = ports;
  if (manifest.balanced || end - clock.now() < LEAST_TIME) return;
  const { merchantCode, timeZone } = settings;
  try {
    const today = dayAt(clock.now(), timeZone);
    const { days } = await history.read(merchantCode, addDays(manifest.day, 1), { today, timeZone });
    const suggestion = suggestedIgnore(days);
    if (suggestion === undefined) return;
    await opsNotices.notifyOnce(suggestionNotice(settings, { manifest, suggestion }));
  } catch (failure) {
    telemetry.logError(failure);
  }
}
