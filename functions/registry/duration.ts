import * as z from 'zod';

const MILLISECONDS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration such as `12h`: milliseconds after parsing. A day has 24 hours. */
export function durationSchema(units: 'mhd' | 'hd', message: string) {
  return z
    .string()
    .regex(new RegExp(`^[1-9]\\d{0,3}[${units}]$`), message)
    .transform((text) => Number(text.slice(0, -1)) * (MILLISECONDS[text.slice(-1)] ?? 0));
}

/** A duration in the largest unit that shows it exactly. @param duration milliseconds */
export function durationText(duration: number): string {
  const [unit, length] = Object.entries(MILLISECONDS).findLast(([, one]) => duration % one === 0) ?? [
    'm',
    60_000,
  ];
  return `${duration / length}${unit}`;
}
