import { Command, Option } from 'commander';
import type { ValidateOptions } from '../validate/assert-valid-files.js';

export function validateCommand(): Command {
  return new Command('validate')
    .description('Checks objects in YAML files as the API server checks them, without a cluster.')
    .argument('<files...>', 'YAML or JSON files, and folders of them; - for standard input')
    .option(
      '--operators <files...>',
      'files of the operators of these kinds (default: operators/**/*.ts, if there are any)',
    )
    .option('--crds <files...>', 'files and folders with CustomResourceDefinitions')
    .addOption(new Option('-o, --output <format>', 'format of the result').choices(['text', 'json']).default('text'))
    .option('-v, --verbose', 'show stack traces')
    .addHelpText('after', EXAMPLES)
    .action(async (files: string[], options: ValidateOptions) => {
      const { assertValidFiles } = await import('../validate/assert-valid-files.js');
      await assertValidFiles(files, options);
    });
}

const EXAMPLES = `
Each error is printed with its file, line and column, as the API server would report it; rules in CEL, defaults and unknown
fields are checked as well. What needs a cluster is not: webhooks, rules for changes, and other objects.
Definitions among the files are used, too. Objects of other kinds are counted, not checked.

Examples:
  kindwright validate config/samples
  kindwright validate --crds crds/ deploy/*.yaml
  kubectl get podsets -A -o yaml | kindwright validate -`;
