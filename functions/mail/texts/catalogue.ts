// Made by `npm run mail:compile`, of the files in this folder.
import ar from './ar.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };

export const CATALOGUE = { ar, en };
