import { gzipSync } from 'node:zlib';
import type { JsonSchema } from '../../api/schema/json-schema.js';
import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import { stringifyJson } from '../../base/json.js';
import type { Diagnostics } from '../../resource/diagnostics.js';
import { kindLocation } from '../../resource/kinds/kind-location.js';
import { located } from '../../resource/location.js';
import type { ResourceModel } from '../../resource/model.js';
import type { GeneratedFile } from '../output/generated-file.js';

const KIB = 1024;
/** TotalAnnotationSizeLimitB, for all annotations together; client-side apply stores the whole object in one. */
const MAX_ANNOTATIONS = 256 * KIB;
/** etcd's `--max-request-bytes`. */
const MAX_OBJECT = 1536 * KIB;
const SHORTER = `--max-description-length 200, maxDescriptionLength in @Kind or @Schema, or preserveUnknownFields`;

/** Warns about a definition that client-side `kubectl apply` cannot handle; adds a diagnostic for one too large for etcd. */
export function collectSize(
  crd: UnstructuredObject,
  models: readonly ResourceModel[],
  diagnostics: Diagnostics,
  warn?: (message: string) => void,
): void {
  const location = kindLocation(models[0]?.target ?? { name: crd.metadata.name });
  const annotations = Object.entries(crd.metadata.annotations ?? {})
    .flat()
    .join('');
  if (Buffer.byteLength(annotations) > MAX_ANNOTATIONS)
    diagnostics.add(
      location,
      `@Kind: annotations are larger than ${inKib(MAX_ANNOTATIONS)}, the limit of the API server`,
      'shorten them, or link to the content',
    );
  const size = sizeOf(crd);
  if (size <= MAX_ANNOTATIONS) return;
  const biggest = biggestBranches(crd).map(([path, bytes]) => `${path} (${inKib(bytes)})`);
  const most = biggest.length > 0 ? `, most of it in ${biggest.join(', ')}` : '';
  if (size > MAX_OBJECT) {
    const problem = `the CustomResourceDefinition has ${inKib(size)}${most}; the limit of etcd is ${inKib(MAX_OBJECT)}`;
    diagnostics.add(location, problem, `use ${SHORTER}`);
    return;
  }
  warn?.(
    located(
      location,
      `the CustomResourceDefinition has ${inKib(size)}${most}; kubectl apply is limited to ${inKib(MAX_ANNOTATIONS)}: ` +
        `use kubectl apply --server-side, or ${SHORTER}`,
    ),
  );
}

/** Smallest share of the whole that is listed. */
const NOTABLE = 0.05;

/** Up to three of the largest branches of the schema, none inside another and none dominated by a single child. */
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

/** The branches below a schema, except those with a child of more than half their size. */
function* branchesOf(schema: JsonSchema, path: string): Generator<[path: string, bytes: number]> {
  for (const [step, child] of schemasBySteps(schema)) {
    const bytes = sizeOf(child);
    const isDominated = schemasBySteps(child).some(([, grandchild]) => sizeOf(grandchild) > bytes / 2);
    if (!isDominated) yield [path + step, bytes];
    yield* branchesOf(child, path + step);
  }
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(stringifyJson(value));
}

function inKib(bytes: number): string {
  return `${Math.ceil(bytes / KIB)} KiB`;
}

/** The schemas of the members of a value, each with its step in a path: `.name`, `[]`, `.*`. */
function schemasBySteps({ properties = {}, items, additionalProperties }: JsonSchema): [string, JsonSchema][] {
  const steps = Object.entries(properties).map(([name, property]): [string, JsonSchema] => [`.${name}`, property]);
  if (items) steps.push(['[]', items]);
  if (typeof additionalProperties === 'object') steps.push(['.*', additionalProperties]);
  return steps;
}

/**
 * Warns about a chart that Helm cannot install: Helm stores the chart and its rendered objects, compressed and in base64, in a
 * Secret of at most 1 MiB.
 */
export function releaseSize(chart: string, files: readonly GeneratedFile[]): string[] {
  const templates = files.map(({ path, content }) => ({ name: path, data: Buffer.from(content).toString('base64') }));
  const manifest = files.map(({ content }) => content).join('');
  const stored = (gzipSync(JSON.stringify({ chart: { templates }, manifest })).length / 3) * 4;
  if (stored <= 1024 * KIB) return [];
  return [
    `the chart of ${chart} needs about ${Math.ceil(stored / 1024)} KiB in the Secret of its release, and the API server limits ` +
      'a Secret to 1024 KiB: use --max-description-length 200, or divide the kinds between several operators',
  ];
}
