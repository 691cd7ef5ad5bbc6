import { inOrder } from '#service/in-order.ts';
import type { CommandContext } from '../context.ts';

/** Items at the same time. Most need a request or a few. */
const AT_ONCE = 16;

/** The results for all items, which are worked on several at a time. @param doing is shown meanwhile */
export async function forEach<Item, Result>(
  { output }: CommandContext,
  doing: string,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  atOnce = AT_ONCE,
): Promise<Result[]> {
  const shown = output.begin(doing, items.length);
  const results: Result[] = [];
  try {
    for await (const result of inOrder(
      items.map((item) => () => work(item)),
      () => atOnce,
    ))
      shown.done(results.push(result));
  } finally {
    shown.stop();
  }
  return results;
}
