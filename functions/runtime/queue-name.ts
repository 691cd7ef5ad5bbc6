/** The name of a queue, by its ARN or its URL. */
export function queueName(arnOrUrl: string): string {
  return arnOrUrl.slice(arnOrUrl.search(/[^:/]*$/));
}
