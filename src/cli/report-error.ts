import { inspect, styleText } from 'node:util';
import type { Logger } from '../base/logger.js';
import { OperatorError } from '../base/operator-error.js';
import { ExitCode } from './exit-codes.js';

/** Codes of errors in what a command was given rather than in what it did. */
const CONFIG_CODES = new Set([
  'E_CONFIG',
  'E_CRD',
  'E_LOAD',
  'E_MODEL',
  'E_NO_FILE',
  'E_NO_KIND',
  'E_NO_OPERATOR',
  'E_SYNTAX',
  'E_TWO_COPIES',
  'E_YAML',
]);

/** What a command exits with after an error. */
export function exitCodeFor(error: unknown): number {
  return error instanceof OperatorError && CONFIG_CODES.has(error.code) ? ExitCode.config : ExitCode.failure;
}

/** An error that the log has told of already. */
export class ReportedError extends Error {
  constructor(readonly exitCode: number) {
    super('reported already');
  }
}

/** Logs an error as `reportError` writes it. */
export function logError(logger: Logger, error: unknown, isVerbose: boolean): void {
  const hint = hintOf(error, isVerbose);
  logger.error(messageOf(error), {
    ...(error instanceof OperatorError && { code: error.code }),
    ...(hint !== undefined && { hint }),
    ...(isVerbose && { err: error }),
  });
}

/**
 * Writes an error for a person: what is wrong, then what to do. The stack is shown only when asked for.
 */
export function reportError(error: unknown, options: { readonly isVerbose: boolean }): void {
  process.stderr.write(formatError(error, options.isVerbose));
}

function formatError(error: unknown, isVerbose: boolean): string {
  const label = styleText(['red', 'bold'], 'error:', { stream: process.stderr });
  const lines = [`${label} ${messageOf(error)}`];
  const hint = hintOf(error, isVerbose);
  if (hint !== undefined) {
    const hintLabel = styleText('cyan', 'hint:', { stream: process.stderr });
    lines.push(`  ${hintLabel} ${hint.replaceAll('\n', '\n        ')}`);
  }
  if (isVerbose) lines.push(inspect(error));
  return `${lines.join('\n')}\n`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : inspect(error);
}

function hintOf(error: unknown, isVerbose: boolean): string | undefined {
  if (error instanceof OperatorError) return error.hint;
  return isVerbose ? undefined : 'this was not expected; run it again with -v to see where it comes from';
}
