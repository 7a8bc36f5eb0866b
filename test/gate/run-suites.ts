// Runs a group of suites with jest, and records the contents of the folders that they depend on if all have passed:
//   run-suites.ts GROUP [--if-changed] [options of jest]
// With --if-changed, nothing runs if the record shows that they passed with these contents.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { GROUPS, PassedSuites, type Group } from './passed-suites.ts';

const PROJECTS: Readonly<Record<Group, readonly string[]>> = {
  certificates: ['certificates-embedded', 'certificates'],
  conformance: ['conformance-embedded', 'conformance'],
  controlplane: ['controlplane'],
  durability: ['durability'],
};

const root = join(import.meta.dirname, '..', '..');
const [name = '', ...args] = process.argv.slice(2);
if (!Object.hasOwn(GROUPS, name)) {
  console.error(`error: unknown group "${name}"\nhint: use ${Object.keys(GROUPS).join(' or ')}`);
  process.exit(2);
}
const group = name as Group;
const passed = new PassedSuites(root);
const contents = passed.contents(group);
const changed = passed.changed(group);
const options = args.filter((arg) => arg !== '--if-changed');
if (args.includes('--if-changed') && changed.length === 0) {
  console.log(`The ${group} suites have passed with the present contents of the folders that they depend on.`);
  process.exit(0);
}
console.log(`The ${group} suites run; changed since they passed: ${changed.join(', ') || 'nothing'}`);
const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js', '--maxWorkers=2'];
const { status } = spawnSync(process.execPath, [...jest, '--selectProjects', ...PROJECTS[group], ...options], {
  cwd: root,
  stdio: 'inherit',
  // The record stands for all examples of property tests.
  env: { ...process.env, PROPERTY_SHARE: '1' },
});
// With options, part of the suites may not have run.
if (status === 0 && options.length === 0) passed.record(group, contents);
process.exit(status ?? 1);
