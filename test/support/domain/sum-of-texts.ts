/** By another way than the functions add: the digits are added as whole numbers. `null` when one is unknown. */
export function sumOfTexts(texts: readonly (string | null | undefined)[]): string | null {
  let sum = 0n;
  for (const text of texts) {
    if (text === null || text === undefined) return null;
    sum += BigInt(text.replace('.', ''));
  }
  const digits = `${sum < 0n ? -sum : sum}`.padStart(4, '0');
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}`;
}
