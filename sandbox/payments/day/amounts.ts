/** A decimal string with three fraction digits, from thousandths. */
export function decimal(thousandths: bigint): string {
  const digits = (thousandths < 0n ? -thousandths : thousandths).toString().padStart(4, '0');
  return `${thousandths < 0n ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}`;
}

/** Thousandths of an amount string; undefined for other text (a record can break the contract on purpose). */
export function thousandths(amount: unknown): bigint | undefined {
  if (typeof amount !== 'string') return undefined;
  return /^-?\d+\.\d{3}$/.test(amount) ? BigInt(amount.replace('.', '')) : undefined;
}
