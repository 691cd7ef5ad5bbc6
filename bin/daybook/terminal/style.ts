/** The style of a piece of text, where there is colour. */
export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan';
