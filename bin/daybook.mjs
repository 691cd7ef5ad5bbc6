#!/usr/bin/env node
import './needed-node.mjs';

await import('./daybook/main.ts');
