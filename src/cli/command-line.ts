import { CommanderError, type Command } from 'commander';
import { ExitCode } from './exit-codes.js';
import { endOnOutputErrors } from './output-errors.js';
import { exitCodeFor, ReportedError, reportError } from './report-error.js';

const EXIT_CODES_HELP = `
Exit codes:
  0   success
  1   failed: a request failed, the lease was lost, manifests are out of date, the API has breaking changes,
      an upgrade has conflicts
  2   invalid command line
  70  the event loop was blocked for the time of run-operator --event-loop-timeout
  78  error in an operator, its annotations, the settings or the kubeconfig`;

/** Runs a command line and returns the exit code. Errors are printed. */
export async function runCommandLine(program: () => Command, args: readonly string[]): Promise<number> {
  endOnOutputErrors();
  try {
    await program().parseAsync(args, { from: 'user' });
    return ExitCode.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.ok : ExitCode.usage;
    if (error instanceof ReportedError) return error.exitCode;
    reportError(error, { isVerbose: args.includes('-v') || args.includes('--verbose') });
    return exitCodeFor(error);
  }
}

/** Adds what all commands have: the version, if given, the help, and errors instead of an exit of the process. */
export function configured(command: Command, version?: string): Command {
  if (version !== undefined) command.version(version, '--version', 'print the version');
  return command.helpOption('-h, --help', 'print this help').addHelpText('after', EXIT_CODES_HELP).exitOverride();
}

/** Makes each command name its help option after an error. */
export function withHelpNamed(command: Command, path = command.name()): Command {
  for (const inner of command.commands) withHelpNamed(inner, `${path} ${inner.name()}`);
  return command.showHelpAfterError(`\nSee ${path} --help`);
}
