import { ChildProcess } from 'node:child_process';
import { Server } from 'node:net';

/**
 * Files of the project `unit` share a process and answer within milliseconds, so none of their tests starts a server or a
 * process. Every server of Node listens by this method, and every child process that is waited for with events starts by the
 * other.
 */
Server.prototype.listen = () => {
  throw new Error(refusal('a server'));
};
Object.assign(ChildProcess.prototype, {
  spawn: () => {
    throw new Error(refusal('a process'));
  },
});

function refusal(what: string): string {
  return `a test of the project "unit" starts ${what}: take its file out of UNIT in test/projects.ts`;
}
