import { baseProgram } from './command-line.ts';
import type { Program } from './command-line.ts';
import { performIn } from './perform.ts';
import type { Perform } from './perform.ts';
import type { Surroundings } from './terminal/surroundings.ts';
import { addAlerts } from './alerts/command.ts';
import { addBackfill } from './backfill/command.ts';
import { addCheck } from './check/command.ts';
import { addDoctor } from './doctor/command.ts';
import { addInvoke } from './invoke/command.ts';
import { addMerchant } from './merchant/command.ts';
import { addRedrive } from './redrive/command.ts';
import { addRegistry } from './registry/command.ts';
import { addReport } from './report/command.ts';
import { addSecret } from './secret/command.ts';
import { addStatement } from './statement/command.ts';
import { addStatus } from './status/command.ts';
import { addSuppression } from './suppression/command.ts';
import { addWhy } from './why/command.ts';

/** Each adds a command to the command line. In the order of the help. */
const COMMANDS: readonly ((program: Program, perform: Perform) => void)[] = [
  addCheck,
  addRegistry,
  addMerchant,
  addSecret,
  addStatus,
  addWhy,
  addReport,
  addStatement,
  addBackfill,
  addRedrive,
  addAlerts,
  addSuppression,
  addDoctor,
  addInvoke,
];

/** Builds the command line. Loads no command's work. */
export function createProgram(surroundings: Surroundings = process): Program {
  const program = baseProgram(surroundings);
  const perform = performIn(surroundings);
  for (const add of COMMANDS) add(program, perform);
  return program;
}
