// `bin/mail-preview.ts` is a link to this file, for the same reason as `bin/local.ts` is one.
import './needed-node.mjs';

await import('./mail-preview/main.ts');
