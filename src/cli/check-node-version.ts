import { isTooOldNode, NEEDED_NODE } from '../base/node-version.js';
import { ExitCode } from './exit-codes.js';

/** Returns whether this version of Node can run a command; otherwise prints which one is required. */
export function checkNodeVersion(name: string): boolean {
  if (!isTooOldNode(process.versions.node)) return true;
  process.stderr.write(`error: ${name} requires Node ${NEEDED_NODE} or later; this is Node ${process.versions.node}\n`);
  process.stderr.write(
    `  hint: install a newer Node from https://nodejs.org, or in the project: npm install -D node\n`,
  );
  process.exitCode = ExitCode.failure;
  return false;
}
