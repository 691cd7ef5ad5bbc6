// `bin/local.ts` is a link to this file: Node goes by the name of what a link leads to, so an old one gets this far.
import './needed-node.mjs';

await import('./local/main.ts');
