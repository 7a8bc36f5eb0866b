import { Command } from 'commander';
import { packageVersion } from '../base/package-version.js';
import { configured, runCommandLine, withHelpNamed } from './command-line.js';
import { buildCommand } from './commands/build-command.js';
import { consoleCommand, topCommand, treeCommand, whyCommand } from './commands/console-commands.js';
import { createCommand } from './commands/create-command.js';
import { deleteCommand } from './commands/delete-command.js';
import {
  deployCommand,
  installCommand,
  reconcileCommand,
  undeployCommand,
  uninstallCommand,
} from './commands/deploy-commands.js';
import { devCommand } from './commands/dev-command.js';
import { demoCommand } from './commands/demo-command.js';
import { envtestAssetsCommand, envtestStubCommands } from './commands/envtest-commands.js';
import { generateManifestsCommand } from './commands/generate-manifests-command.js';
import { importCrdCommand } from './commands/import-crd-command.js';
import { migrateStorageCommand } from './commands/migrate-storage-command.js';
import { initCommand, upgradeCommand } from './commands/project-commands.js';
import { runOperatorCommand } from './commands/run-operator-command.js';
import { serveCommand } from './commands/serve-command.js';
import { simulateCommand } from './commands/simulate-command.js';
import { validateCommand } from './commands/validate-command.js';

export type CommandName = 'kindwright' | 'run-operator' | 'generate-manifests';

/** Runs a command line and returns the exit code. */
export function main(name: CommandName, args: readonly string[]): Promise<number> {
  return runCommandLine(() => createProgram(name), args);
}

function createProgram(name: CommandName): Command {
  const withVersion = (command: Command, hasVersion = true): Command =>
    configured(command, hasVersion ? packageVersion() : undefined);
  if (name === 'run-operator') return withHelpNamed(withVersion(runOperatorCommand()));
  if (name === 'generate-manifests') return withHelpNamed(withVersion(generateManifestsCommand()));
  const program = new Command('kindwright')
    .enablePositionalOptions() // an option --version after a command is that command's
    .description('Kubernetes operators from annotated TypeScript classes.')
    .addHelpText('after', '\nHelp on a command: kindwright <command> --help');
  const commands = [
    initCommand(),
    createCommand(withVersion),
    deleteCommand(withVersion),
    upgradeCommand(),
    importCrdCommand(),
    devCommand(),
    runOperatorCommand(),
    generateManifestsCommand(),
    validateCommand(),
    simulateCommand(),
    buildCommand(),
    installCommand(),
    uninstallCommand(),
    deployCommand(),
    undeployCommand(),
    migrateStorageCommand(),
    reconcileCommand(),
    serveCommand(),
    demoCommand(),
    consoleCommand(),
    whyCommand(),
    treeCommand(),
    topCommand(),
    envtestAssetsCommand(),
  ];
  for (const command of commands) program.addCommand(withVersion(command));
  for (const command of envtestStubCommands()) program.addCommand(withVersion(command), { hidden: true });
  return withHelpNamed(withVersion(program));
}
