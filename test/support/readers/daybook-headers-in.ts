import PostalMime from 'postal-mime';

/** The headers `X-Daybook-…` of a message, by their names in lower case. */
export async function daybookHeadersIn(raw: Uint8Array): Promise<Record<string, string>> {
  const { headers } = await PostalMime.parse(raw);
  const ours = headers.filter(({ key }) => key.startsWith('x-daybook-'));
  return Object.fromEntries(ours.map(({ key, value }) => [key, value]));
}
