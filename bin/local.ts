// `bin/local.ts` is a link to this file. Node looks at the name of the link's target, so an old Node can start it, too.
import './needed-node.mjs';

await import('./local/main.ts');
