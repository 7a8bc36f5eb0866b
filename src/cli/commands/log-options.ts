import { Option, type Command } from 'commander';

/** Adds the log options of a long-running command. */
export function withLogOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--log-level <level>', 'least severe level that is logged')
        .choices(['debug', 'info', 'warn', 'error', 'silent'])
        .default('info'),
    )
    .addOption(
      new Option('--log-format <format>', 'format of log lines; by default text on a terminal, otherwise json').choices(
        ['text', 'json'],
      ),
    )
    .option('-v, --verbose', 'log level debug, which prints what triggered each reconcile, and stack traces of errors');
}
