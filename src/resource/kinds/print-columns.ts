import type { PrintColumn } from '../decorators/print-column.js';
import type { Mistakes } from '../mistakes.js';
import type { Problem } from '../model-error.js';
import type { ClassModel, FieldModel } from '../fields/value-model.js';

const TYPES = ['boolean', 'date', 'integer', 'number', 'string'];

/** Checks columns by the API server's rules, and that their paths lead to fields. */
export function checkPrintColumns(
  { className, fields }: ClassModel,
  columns: readonly PrintColumn[],
  mistakes: Mistakes,
): void {
  for (const column of columns) {
    for (const [problem, hint] of [...columnProblems(column), ...pathProblems(column.jsonPath, fields)])
      mistakes.add({ className }, `@PrintColumn '${column.name}': ${problem}`, hint);
  }
}

function* columnProblems({ name, type, priority = 0 }: PrintColumn): Generator<Problem> {
  if (name.trim() === '') yield ['has no name', `name: 'Size'`];
  if (!TYPES.includes(type)) yield [`type '${type}' is unknown`, `type: ${TYPES.join(', ')}`];
  if (!Number.isInteger(priority) || priority < 0)
    yield [`priority ${priority} is not a whole number from 0 up`, 'priority: 1'];
}

const COMMON_FIELDS = ['apiVersion', 'kind', 'metadata'];

/** Follows the simple steps of a path; filters and indexes are the server's to judge. */
function* pathProblems(path: string, fields: ClassModel['fields']): Generator<Problem> {
  const hint = `jsonPath: '.spec.…'`;
  const steps = /^\.[A-Za-z]/.test(path) ? path.slice(1).split('[', 1).join('').split('.').filter(Boolean) : [];
  const [first] = steps;
  if (first === undefined) yield [`jsonPath '${path}' does not start with a dot and a field`, hint];
  else if (!COMMON_FIELDS.includes(first)) {
    const missing = missingStep(steps, fields);
    if (missing !== undefined) yield [`jsonPath '${path}' leads to no field: there is no ${missing}`, hint];
  }
}

/** The first step that no class on the way has as a field. */
function missingStep(steps: readonly string[], rootFields: ClassModel['fields']): string | undefined {
  let fields: ClassModel['fields'] | undefined = rootFields;
  for (const step of steps) {
    const field: FieldModel | undefined = fields.find(({ name }) => name === step);
    if (!field) return step;
    fields = field.value.class?.fields;
    if (!fields) return undefined;
  }
  return undefined;
}
