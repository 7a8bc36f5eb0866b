import { Option, type Command } from 'commander';
import { durationArgument, listArgument, selectorArgument } from './arguments.js';

/** Adds the options of simulated pods. */
export function withPodOptions(command: Command, condition = ''): Command {
  return command
    .addOption(
      new Option('--pod-delay <duration>', `${condition}time a pod takes to start, e.g. 2s (default: none)`).argParser(
        durationArgument,
      ),
    )
    .option(
      '--fail-pods <selector>',
      `${condition}pods with these labels exit with code 1 once they run, e.g. app=web`,
      selectorArgument,
    )
    .option(
      '--missing-images <images>',
      `${condition}comma-separated images that cannot be pulled: their pods wait with ImagePullBackOff`,
      listArgument,
    );
}
