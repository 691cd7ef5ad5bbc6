/** What the cells of a column hold if possible. An amount has three decimals. */
export type CellContent = 'amount' | 'integer' | 'day' | 'time' | 'text';
