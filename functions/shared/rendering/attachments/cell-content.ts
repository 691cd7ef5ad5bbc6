/**
 * What the cells of a column hold if possible: an amount with three decimals, a whole number, a date, a date
 * with a time of day, or any text.
 */
export type CellContent = 'amount' | 'integer' | 'day' | 'time' | 'text';
