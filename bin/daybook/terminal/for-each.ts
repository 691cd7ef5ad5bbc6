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
  return output.during(doing, items.length, async (shown) => {
    const results: Result[] = [];
    const works = items.map((item) => () => work(item));
    for await (const result of inOrder(works, () => atOnce)) shown.done(results.push(result));
    return results;
  });
}
