import { baseProgram, performIn } from './command-line.ts';
import type { Program, Perform } from './command-line.ts';
import type { Surroundings } from './terminal/output.ts';
import { addAlerts } from './alerts/command.ts';
import {
  addBackfill,
  addCheck,
  addDoctor,
  addInit,
  addInvoke,
  addRedrive,
  addReport,
  addStatement,
  addStatus,
  addVerify,
  addWhy,
} from './commands.ts';
import { addCustomer } from './forget/command.ts';
import { addLake } from './lake/command.ts';
import { addMerchant } from './merchant/command.ts';
import { addRegistry } from './registry/command.ts';
import { addSecret } from './secret/command.ts';
import { addSuppression } from './suppression/command.ts';

/** Each adds a command to the command line. In the order of the help. */
const COMMANDS: readonly ((program: Program, perform: Perform) => void)[] = [
  addInit,
  addCheck,
  addRegistry,
  addMerchant,
  addCustomer,
  addSecret,
  addStatus,
  addWhy,
  addVerify,
  addReport,
  addStatement,
  addBackfill,
  addRedrive,
  addAlerts,
  addSuppression,
  addLake,
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
