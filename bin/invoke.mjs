import './needed-node.mjs';

await import('./invoke/main.ts');
