import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as kinds from '../../src/api/kinds/kinds.js';
import type { UnstructuredObject } from '../../src/api/objects/kube-object.js';
import * as definitions from '../../src/definitions.js';
import { collectCrdProblems } from '../../src/manifests/problems/crd-problems.js';
import { customResourceDefinition } from '../../src/manifests/crd/crd.js';
import { Field } from '../../src/resource/decorators/field.js';
import { Kind } from '../../src/resource/decorators/kind.js';
import type { Definition } from '../../src/api/kinds/definition.js';
import { Diagnostics } from '../../src/resource/diagnostics.js';
import { ModelError } from '../../src/resource/model-error.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import type { ResourceModel } from '../../src/resource/model.js';
import { startControlPlane, type RunningControlPlane } from '../controlplane/start-control-plane.js';
import { ApiEndpoint } from '../fidelity/api-endpoint.js';
import { Sound } from '../resource/mistakes/classes.js';

/** A dry run validates a definition. */
const CREATE = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All';
const TIMEOUT_MS = 240_000;

let cluster: RunningControlPlane | undefined;
let server: ApiEndpoint;
beforeAll(async () => {
  cluster = await startControlPlane({ parts: ['etcd', 'apiserver'] });
  server = new ApiEndpoint(cluster.kubeconfig);
}, TIMEOUT_MS);
afterAll(async () => {
  server.close();
  await cluster?.stop();
});

/** A kind with fields of a definition; nothing when we refuse it. */
function modelOf(type: Definition): ResourceModel | undefined {
  class Spec {
    @Field({ type }) one!: object;
    @Field({ items: type, optional: true }) many?: object[];
    @Field({ values: type, optional: true }) named?: Record<string, object>;
  }
  @Kind({ group: 'apps.example.com', version: 'v1', maxDescriptionLength: 100 })
  class Holder extends Sound {
    @Field() spec!: Spec;
  }
  try {
    return buildResourceModels([Holder])[0];
  } catch (error) {
    if (error instanceof ModelError) return undefined;
    throw error;
  }
}

/** The errors of a definition by the rules of the SDK. */
function problemsOf(crd: UnstructuredObject, model: ResourceModel): string {
  const diagnostics = new Diagnostics();
  collectCrdProblems(crd, [model], diagnostics);
  try {
    diagnostics.throwIfAny();
    return '';
  } catch (error) {
    return (error as ModelError).message;
  }
}

test(
  'the real server accepts each definition as a field, an item and a value of a map, unless the SDK rejects it',
  async () => {
    const verdicts: { name: string; ours: string; theirs: string }[] = [];
    for (const [name, type] of Object.entries({ ...kinds, ...definitions } as Record<string, Definition>)) {
      const model = modelOf(type);
      if (!model) continue;
      const crd = customResourceDefinition(model);
      const { code, body } = await server.send({ method: 'POST', path: CREATE, body: crd });
      const theirs = code === 201 ? '' : (body as { message: string }).message;
      verdicts.push({ name, ours: problemsOf(crd, model), theirs });
    }
    expect(verdicts.length).toBeGreaterThan(550);
    expect(verdicts.filter(({ ours, theirs }) => ours !== '' || theirs !== '')).toEqual([]);
  },
  TIMEOUT_MS,
);
