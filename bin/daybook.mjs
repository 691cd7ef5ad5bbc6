#!/usr/bin/env node
import './needed-node.mjs';
import module from 'node:module';

// Later starts read compiled code. An import would begin before this line.
module.enableCompileCache?.();
const { main } = await import('./daybook/main.ts');
await main(process.argv.slice(2));
