import { execFile, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { expect, it } from 'vitest';

// This file is of the project "unit".
const REFUSED = /a test of the project "unit" starts a (server|process): take its file out of UNIT/;

it('a test of the project "unit" cannot start a server', () => {
  expect(() => createServer().listen(0)).toThrow(REFUSED);
});

it('a test of the project "unit" cannot start a process', () => {
  expect(() => spawn(process.execPath, ['--version'])).toThrow(REFUSED);
  expect(() => execFile(process.execPath, ['--version'])).toThrow(REFUSED);
});
