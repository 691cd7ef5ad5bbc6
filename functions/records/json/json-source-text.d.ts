/** "JSON.parse source text access" (ECMAScript, in Node since version 21). TypeScript's libraries lack it yet. */
interface JSON {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): { readonly rawJSON: string };
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
}
