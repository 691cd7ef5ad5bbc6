import type { DaysMessage, StatementMessage } from '#runtime/queue-message.ts';

export function dayItemsOf(items: readonly (DaysMessage | StatementMessage)[] | undefined): DaysMessage[] {
  return (items ?? []).flatMap((item) => ('days' in item ? [item] : []));
}
