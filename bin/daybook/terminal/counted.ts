/** A number with its noun: `1 merchant`, `2,000 merchants`. @param noun its plural ends with `s` */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
