import type { JsonSchema } from '../../api/json-schema.js';
import { stringifyJson } from '../../base/json.js';
import type { UnstructuredObject } from '../../api/kube-object.js';
import type { Diagnostics } from '../../resource/diagnostics.js';
import type { ResourceModel } from '../../resource/model.js';
import { schemasBySteps } from '../crd/schemas-by-steps.js';

const KIB = 1024;
/** TotalAnnotationSizeLimitB of all annotations together; client-side apply keeps the whole object in one. */
const MAX_ANNOTATIONS = 256 * KIB;
/** etcd's `--max-request-bytes`. */
const MAX_OBJECT = 1536 * KIB;
const SHORTER = `--max-description-length 200, maxDescriptionLength in @Kind or @Schema, or preserveUnknownFields`;

/** Warns of a definition that `kubectl apply` cannot keep in an annotation, and refuses one that etcd does not take. */
export function checkSize(
  crd: UnstructuredObject,
  models: readonly ResourceModel[],
  diagnostics: Diagnostics,
  warn?: (message: string) => void,
): void {
  const className = models[0]?.className ?? crd.metadata.name;
  const annotations = Object.entries(crd.metadata.annotations ?? {})
    .flat()
    .join('');
  if (Buffer.byteLength(annotations) > MAX_ANNOTATIONS)
    diagnostics.add(
      { className },
      `@Kind: its annotations have more than the ${inKib(MAX_ANNOTATIONS)} that the API server takes`,
      'shorter ones, or a link',
    );
  const size = sizeOf(crd);
  if (size <= MAX_ANNOTATIONS) return;
  const biggest = biggestBranches(crd).map(([path, bytes]) => `${path} (${inKib(bytes)})`);
  const most = biggest.length > 0 ? `, most of it in ${biggest.join(', ')}` : '';
  if (size > MAX_OBJECT) {
    const problem = `its CustomResourceDefinition has ${inKib(size)}${most}, and etcd takes ${inKib(MAX_OBJECT)}`;
    diagnostics.add({ className }, problem, SHORTER);
    return;
  }
  warn?.(
    `CustomResourceDefinition ${crd.metadata.name} has ${inKib(size)}${most}: kubectl apply keeps objects of up to ` +
      `${inKib(MAX_ANNOTATIONS)}; use kubectl apply --server-side, or ${SHORTER}`,
  );
}

/** What is at least this share of the whole is worth a word. */
const NOTABLE = 0.05;

/** The three biggest places of the schema that no single place within them makes big, none within another. */
function biggestBranches(crd: UnstructuredObject): [path: string, bytes: number][] {
  const { versions = [] } = crd['spec'] as { versions?: { name: string; schema: { openAPIV3Schema: JsonSchema } }[] };
  const least = sizeOf(crd) * NOTABLE;
  const branches = versions.flatMap(({ name, schema }) => {
    return [...branchesOf(schema.openAPIV3Schema, versions.length > 1 ? name : '')];
  });
  const notable = branches.filter(([, bytes]) => bytes >= least).sort(([, a], [, b]) => b - a);
  const chosen: [string, number][] = [];
  for (const branch of notable) {
    const isWithin = chosen.some(([path]) => /^[.[]/.test(branch[0].slice(path.length)) && branch[0].startsWith(path));
    if (chosen.length < 3 && !isWithin) chosen.push(branch);
  }
  return chosen;
}

/** The places below a schema, except those of which one place below has more than half. */
function* branchesOf(schema: JsonSchema, path: string): Generator<[path: string, bytes: number]> {
  for (const [step, child] of schemasBySteps(schema)) {
    const bytes = sizeOf(child);
    const isOneChilds = schemasBySteps(child).some(([, grandchild]) => sizeOf(grandchild) > bytes / 2);
    if (!isOneChilds) yield [path + step, bytes];
    yield* branchesOf(child, path + step);
  }
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(stringifyJson(value));
}

function inKib(bytes: number): string {
  return `${Math.ceil(bytes / KIB)} KiB`;
}
