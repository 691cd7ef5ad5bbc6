// `bin/mail-preview.ts` is a link to this file; bin/local.mjs says why.
import './needed-node.mjs';

await import('./mail-preview/main.ts');
