import type { DaysMessage, StatementMessage } from '#runtime/queue-message.ts';

/** The items of days among items of any kind. */
export function dayItemsOf(items: readonly (DaysMessage | StatementMessage)[] | undefined): DaysMessage[] {
  return (items ?? []).flatMap((item) => ('days' in item ? [item] : []));
}
