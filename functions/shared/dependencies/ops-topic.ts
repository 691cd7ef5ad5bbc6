import type { Publish } from '#mailing/ops/mailed-ops-notices.ts';

/**
 * Publishes over SNS. The client is loaded and built at the first notice, because most cold starts never send
 * one.
 */
export function publishOverSns(): Publish {
  let publish: Publish | undefined;
  return async (notice, milliseconds) => {
    const { snsPublisher } = await import('#aws/sns-publisher.ts');
    publish ??= snsPublisher();
    await publish(notice, milliseconds);
  };
}
