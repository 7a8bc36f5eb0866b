import { OperatorError } from '../../base/operator-error.js';
import { readAccessRecord } from '../../client/access/access-record-file.js';
import { grantedRules } from '../../manifests/access/granted-rules.js';
import { isRun } from '../../resource/is-run.js';
import { countNoun } from '../count-noun.js';
import type { LoadedResource } from '../load-resources.js';
import { missingPermissions, unusedPermissions } from './rbac-findings.js';
import { RulePlaces } from './rule-places.js';
import { printLine } from '../print-line.js';

/**
 * Compares the rules of classes with a record of requests, and prints missing and unused permissions.
 *
 * @throws OperatorError when there are any, or when the record is empty.
 */
export function assertPermissions(resources: readonly LoadedResource[], file: string): void {
  const recorded = readAccessRecord(file);
  if (!recorded?.length) {
    throw new OperatorError(`${file} contains no recorded requests`, {
      code: 'E_RBAC',
      hint: `record a run first: run-operator --record-rbac ${file}`,
    });
  }
  const run = resources.filter(({ model }) => isRun(model));
  const models = run.map(({ model }) => model);
  const granted = models.flatMap(grantedRules);
  const places = new RulePlaces(resources);
  const findings = [...missingPermissions(granted, recorded, models), ...unusedPermissions(granted, recorded)];
  for (const { origin, problem, fix } of findings) {
    printLine(`${places.of(origin)}: ${origin.model.className}: ${problem}\n  ${fix}`);
  }
  if (findings.length === 0) return;
  throw new OperatorError(
    `the rules of the classes differ from the requests in ${file}: ${countNoun(findings.length, 'difference')}`,
    {
      code: 'E_RBAC',
      hint: 'change the lines above, or record the runs that are still missing',
    },
  );
}
