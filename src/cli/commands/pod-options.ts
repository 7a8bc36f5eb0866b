import { Option, type Command } from 'commander';
import { durationArgument, listArgument, selectorArgument } from './arguments.js';

/** Adds what can be said of the simulated pods. */
export function withPodOptions(command: Command, condition = ''): Command {
  return command
    .addOption(
      new Option('--pod-delay <duration>', `${condition}time a pod takes to start, e.g. 2s (default: none)`).argParser(
        durationArgument,
      ),
    )
    .option(
      '--fail-pods <selector>',
      `${condition}pods with these labels exit with code 1 as soon as they run, e.g. app=web`,
      selectorArgument,
    )
    .option(
      '--missing-images <images>',
      `${condition}images that cannot be pulled, with commas: their pods wait with ImagePullBackOff`,
      listArgument,
    );
}
