import { Command, InvalidArgumentError } from 'commander';
import { DEFAULT_PATTERN } from '../find-files.js';
import type { SimulateFlags } from '../simulation/simulate.js';
import { countArgument, durationArgument, listArgument } from './arguments.js';

export function simulateCommand(): Command {
  return new Command('simulate')
    .description(
      'Preview: plays operators through crashes, lost answers and stale caches in simulated clusters, and reports bugs.',
    )
    .argument('[files...]', `files, folders or globs (default: ${DEFAULT_PATTERN})`)
    .option('--schedules <count>', 'runs for each class (default: as many as the time allows)', schedulesArgument)
    .option(
      '--for <duration>',
      'time for each class (default: 60s, without a limit with --schedules)',
      durationArgument,
    )
    .option('--workers <count>', 'plans that are played at the same time (default: 1)', countArgument)
    .option('--only <faults>', 'use only these faults, separated by commas', listArgument)
    .option('--without <faults>', 'do not use these faults', listArgument)
    .option('--depth <faults>', 'with 2, also play pairs of faults', depthArgument)
    .option('--replay <plan>', 'play one plan: a seed, or the text of a plan in quotes')
    .option('--keeps <kinds>', 'kinds whose objects stay on purpose, such as PersistentVolumeClaim', listArgument)
    .option(
      '--touches <kinds>',
      'kinds whose objects the operator may delete although others created them',
      listArgument,
    )
    .option('--save <file>', 'write the problems as tests to a new file')
    .option('--json', 'print one line of JSON for each problem, and a summary')
    .option('--keep-going', 'search for further problems after the first one')
    .option('--list', 'print the faults and the rules, and end')
    .option('-v, --verbose', 'show stack traces')
    .addHelpText('after', EXAMPLES)
    .action(async (files: string[], options: SimulateFlags) => {
      const { simulateOperators } = await import('../simulation/simulate.js');
      await simulateOperators(files, options);
    });
}

function schedulesArgument(value: string): number {
  if (/^[1-9]\d{0,6}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('Pass a number of schedules, such as 1000.');
}

function depthArgument(value: string): 1 | 2 {
  if (value === '1' || value === '2') return value === '1' ? 1 : 2;
  throw new InvalidArgumentError('Pass 1 or 2.');
}

const EXAMPLES = `
A problem is printed with what led to it, and with a command that repeats it. The exit code is 0 if there is none, and 1
otherwise.

Examples:
  kindwright simulate operators/podset.ts
  kindwright simulate operators/podset.ts --only crash --depth 2
  kindwright simulate operators/podset.ts --save test/podset-found.test.ts
  kindwright simulate operators/podset.ts --replay 'crash after create Secret default/a-tls'
  kindwright simulate --for 10m --workers 4 --keep-going`;
