import { Command, CommanderError } from 'commander';
import { createCommand } from './commands/create-command.js';
import { deployCommand, installCommand, undeployCommand, uninstallCommand } from './commands/deploy-commands.js';
import { demoCommand } from './commands/demo-command.js';
import { envtestAssetsCommand, envtestStubCommands } from './commands/envtest-commands.js';
import { generateManifestsCommand } from './commands/generate-manifests-command.js';
import { importCrdCommand } from './commands/import-crd-command.js';
import { migrateStorageCommand } from './commands/migrate-storage-command.js';
import { initCommand, upgradeCommand } from './commands/project-commands.js';
import { runOperatorCommand } from './commands/run-operator-command.js';
import { serveCommand } from './commands/serve-command.js';
import { ExitCode } from './exit-codes.js';
import { endOnOutputErrors } from './output-errors.js';
import { packageVersion } from '../base/package-version.js';
import { exitCodeFor, ReportedError, reportError } from './report-error.js';

export type CommandName = 'kindwright' | 'run-operator' | 'generate-manifests';

const EXIT_CODES_HELP = `
Exit codes:
  0   success
  1   failed: a request failed, the lease was lost, manifests are out of date, the API has breaking changes,
      an upgrade has conflicts
  2   invalid command line
  70  the event loop was blocked for the time of run-operator --event-loop-timeout
  78  error in an operator, its annotations, the settings or the kubeconfig`;

/** Runs a command line and returns the exit code. */
export async function main(name: CommandName, args: readonly string[]): Promise<number> {
  endOnOutputErrors();
  try {
    await createProgram(name).parseAsync(args, { from: 'user' });
    return ExitCode.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.ok : ExitCode.usage;
    if (error instanceof ReportedError) return error.exitCode;
    reportError(error, { isVerbose: args.includes('-v') || args.includes('--verbose') });
    return exitCodeFor(error);
  }
}

function createProgram(name: CommandName): Command {
  if (name === 'run-operator') return withHelpNamed(configured(runOperatorCommand()));
  if (name === 'generate-manifests') return withHelpNamed(configured(generateManifestsCommand()));
  const program = new Command('kindwright')
    .description('Kubernetes operators from annotated TypeScript classes.')
    .addHelpText('after', '\nHelp on a command: kindwright <command> --help');
  const commands = [
    initCommand(),
    createCommand(configured),
    upgradeCommand(),
    importCrdCommand(),
    runOperatorCommand(),
    generateManifestsCommand(),
    installCommand(),
    uninstallCommand(),
    deployCommand(),
    undeployCommand(),
    migrateStorageCommand(),
    serveCommand(),
    demoCommand(),
    envtestAssetsCommand(),
  ];
  for (const command of commands) program.addCommand(configured(command));
  for (const command of envtestStubCommands()) program.addCommand(configured(command), { hidden: true });
  return withHelpNamed(configured(program));
}

function configured(command: Command): Command {
  return command
    .version(packageVersion(), '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', EXIT_CODES_HELP)
    .exitOverride();
}

/** Makes each command name its help option after an error. */
function withHelpNamed(command: Command, path = command.name()): Command {
  for (const inner of command.commands) withHelpNamed(inner, `${path} ${inner.name()}`);
  return command.showHelpAfterError(`\nSee ${path} --help`);
}
