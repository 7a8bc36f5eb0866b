import { inspect, styleText } from 'node:util';
import type { Logger } from '../base/logger.js';
import { OperatorError } from '../base/operator-error.js';
import { printableText } from '../base/printable-text.js';
import { userFrames } from '../base/user-frames.js';
import { ExitCode } from './exit-codes.js';

/** Codes of errors in the input of a command. */
const CONFIG_CODES = new Set([
  'E_CONFIG',
  'E_CRD',
  'E_LOAD',
  'E_MODEL',
  'E_NO_FILE',
  'E_NO_KIND',
  'E_NO_OPERATOR',
  'E_SCAFFOLD_RECORD',
  'E_SYNTAX',
  'E_TWO_COPIES',
  'E_YAML',
]);

/** Returns the exit code of a command after an error. */
export function exitCodeFor(error: unknown): number {
  return error instanceof OperatorError && CONFIG_CODES.has(error.code) ? ExitCode.config : ExitCode.failure;
}

/** An error that was already logged. */
export class ReportedError extends Error {
  constructor(readonly exitCode: number) {
    super('already reported');
  }
}

/** Logs an error with the same parts that `reportError` prints. */
export function logError(logger: Logger, error: unknown, isVerbose: boolean): void {
  const hint = hintOf(error, isVerbose);
  logger.error(messageOf(error), {
    ...(error instanceof OperatorError && { code: error.code }),
    ...(hint !== undefined && { hint }),
    ...logged(error, isVerbose),
  });
}

/** Prints message, hint and the frames of user code of an error to standard error; if verbose, the whole stack. */
export function reportError(error: unknown, options: { readonly isVerbose: boolean }): void {
  process.stderr.write(formatError(error, options.isVerbose));
}

function formatError(error: unknown, isVerbose: boolean): string {
  const label = styleText(['red', 'bold'], 'error:', { stream: process.stderr });
  const lines = [`${label} ${printableText(messageOf(error))}`];
  const hint = hintOf(error, isVerbose);
  if (hint !== undefined) {
    const hintLabel = styleText('cyan', 'hint:', { stream: process.stderr });
    lines.push(`  ${hintLabel} ${printableText(hint).replaceAll('\n', '\n        ')}`);
  }
  if (isVerbose) lines.push(printableText(inspect(error)));
  else for (const { caller, location } of userFrames(thrownByUser(error))) lines.push(frameLine(caller, location));
  return `${lines.join('\n')}\n`;
}

/** Returns the error of the cause chain that has frames of user code, or undefined. */
function thrownByUser(error: unknown): Error | undefined {
  const seen = new Set<unknown>();
  for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
    if (userFrames(at).length > 0) return at;
    seen.add(at);
  }
  return undefined;
}

function logged(error: unknown, isVerbose: boolean): { readonly err?: unknown } {
  const err = isVerbose ? error : thrownByUser(error);
  return err === undefined ? {} : { err };
}

function frameLine(caller: string, location: string): string {
  return caller === '' ? `    at ${location}` : `    at ${caller} (${location})`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : inspect(error);
}

function hintOf(error: unknown, isVerbose: boolean): string | undefined {
  if (error instanceof OperatorError) return error.hint;
  return isVerbose ? undefined : 'unexpected error; run the command with -v to print the stack';
}
