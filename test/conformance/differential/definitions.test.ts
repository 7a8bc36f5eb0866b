import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { EmbeddedApiServer } from '../../../src/apiserver/embedded-api-server.js';
import { ControlPlane } from '../../controlplane/control-plane.js';
import type { Json } from '../../crd/cases/base-definition.js';
import { definitionCases } from '../../crd/cases/definition-cases.js';
import { EXPRESSIONS, expressionDefinitions, EXPRESSIONS_EACH } from '../../crd/cases/expression-cases.js';
import { generatedCases } from '../../crd/cases/generated-cases.js';
import { ruleCases } from '../../crd/cases/rule-cases.js';
import { schemaCases } from '../../crd/cases/schema-cases.js';
import { ApiEndpoint, type ApiReply } from '../../fidelity/api-endpoint.js';

/** A dry run validates a definition, rules and their cost included. */
const CREATE = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All';
const SEED = Number(process.env.DEFINITIONS_SEED ?? 7);
const GENERATED = Number(process.env.DEFINITIONS_COUNT ?? 200);
/** Of the definitions that both servers refuse. */
const MIN_EQUAL_CAUSES = 0.95;
const TIMEOUT_MS = 240_000;

let real: ControlPlane | undefined;
let embedded: EmbeddedApiServer | undefined;
let ours: ApiEndpoint;
let theirs: ApiEndpoint;

beforeAll(async () => {
  [real, embedded] = await Promise.all([
    ControlPlane.start({ parts: ['etcd', 'apiserver'] }),
    EmbeddedApiServer.start({ withoutControllers: true }),
  ]);
  [ours, theirs] = [new ApiEndpoint(embedded.kubeconfig), new ApiEndpoint(real.kubeconfig)];
}, TIMEOUT_MS);
afterAll(async () => {
  for (const endpoint of [ours, theirs]) endpoint.close();
  await Promise.all([real?.stop(), embedded?.stop()]);
});

interface Cause {
  readonly reason?: string;
  readonly field?: string;
  readonly message?: string;
}

async function create(definition: Json): Promise<readonly [ours: ApiReply, theirs: ApiReply]> {
  const call = { method: 'POST', path: CREATE, body: definition };
  return Promise.all([ours.send(call), theirs.send(call)]);
}

function causesOf({ body }: ApiReply): readonly Cause[] {
  return (body as { details?: { causes?: readonly Cause[] } }).details?.causes ?? [];
}

/** A cause without generated parts: the name of the type of self contains the time. */
function textOf({ reason, field, message }: Cause): string {
  return `${reason} ${field}: ${message}`.replaceAll(/selfType\d*/g, 'selfType');
}

/** The server visits properties in the random order of Go maps. */
function sortedTexts(reply: ApiReply): string[] {
  return causesOf(reply).map(textOf).sort();
}

test(
  'definitions are accepted or refused as by the real server, for the same causes',
  async () => {
    const cases = [...definitionCases, ...schemaCases, ...ruleCases, ...generatedCases(GENERATED, SEED)];
    const verdicts: string[] = [];
    const causes: string[] = [];
    let refused = 0;
    for (const [name, definition] of cases) {
      const [a, b] = await create(definition);
      if (a.code !== b.code)
        verdicts.push(`${name}: ${a.code}, the real server ${b.code}: ${sortedTexts(b).join('; ')}`);
      if (b.code === 201) continue;
      refused++;
      if (sortedTexts(a).join('\n') !== sortedTexts(b).join('\n')) causes.push(name);
    }
    console.log(`${cases.length} definitions, ${refused} refused; causes differ in ${causes.length}`, causes);
    expect(verdicts).toEqual([]);
    expect(1 - causes.length / refused).toBeGreaterThanOrEqual(MIN_EQUAL_CAUSES);
  },
  TIMEOUT_MS,
);

test(
  'CEL expressions hold, fail and break as on the real server',
  async () => {
    const differences: string[] = [];
    for (const [chunk, definition] of expressionDefinitions().entries()) {
      const [a, b] = await create(definition);
      for (let index = 1; index <= EXPRESSIONS_EACH; index++) {
        const expression = EXPRESSIONS[chunk * EXPRESSIONS_EACH + index - 1];
        if (expression === undefined) break;
        const [x, y] = [outcome(a, index), outcome(b, index)];
        if (x !== y) differences.push(`${expression}: ${x}, the real server ${y}`);
      }
    }
    expect(differences).toEqual([]);
  },
  TIMEOUT_MS,
);

/** The result of the rule of one property. */
function outcome(reply: ApiReply, index: number): string {
  const texts = causesOf(reply)
    .filter(({ field = '' }) => field.includes(`[case${index}]`))
    .map(textOf);
  return texts.length === 0 ? 'holds' : [...new Set(texts)].join('; ');
}
