import { readFileSync } from 'node:fs';
import { runSuite, type SuiteRunner } from './jest-internals.ts';
import { SharedEnvironment } from './shared-environment.ts';

/** In the first comment of a suite that must not share the environment. */
const OWN_ENVIRONMENT = /^\/\*\*(?:(?!\*\/)[^])*@own-environment/;

const folder = process.cwd();
let shared: SharedEnvironment | undefined;

/** Runs the suites of a process of jest in one environment, so that modules are loaded once in each process. */
const runInSharedEnvironment: SuiteRunner = async (options, project, environment, runtime, path, sendMessage) => {
  // A change of a loaded module has no effect, and jest reads coverage from the environment that it has made.
  const isAlone = options.collectCoverage || options.watch || options.watchAll;
  if (isAlone || OWN_ENVIRONMENT.test(readFileSync(path, 'utf8'))) {
    const run = runSuite(options, project, environment, runtime, path, sendMessage);
    return run.finally(() => process.chdir(folder));
  }
  if (shared && (shared.isFull || shared.project !== project.id)) {
    await shared.end();
    shared = undefined;
  }
  shared ??= new SharedEnvironment(project.id, environment, runtime);
  if (shared.runtime !== runtime) shared.enter(path, environment, runtime);
  const used = shared;
  // Without await, so that this function is not in the stacks of errors.
  return runSuite(options, project, used.environment, used.runtime, path, sendMessage).finally(() => {
    process.chdir(folder);
    used.leave();
  });
};

// eslint-disable-next-line kindwright/no-default-exports -- jest calls the default export
export default runInSharedEnvironment;
