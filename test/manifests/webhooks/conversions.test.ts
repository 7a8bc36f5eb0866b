import { describe, expect, test } from '@jest/globals';
import type { UnstructuredObject } from '../../../src/api/objects/kube-object.js';
import { parseYamlDocuments } from '../../../src/base/yaml.js';
import { generateManifests } from '../../../src/manifests/generate.js';
import type { ManifestOptions } from '../../../src/manifests/operator.js';
import { move } from '../../../src/resource/decorators/conversion-step.js';
import { CustomResource } from '../../../src/resource/custom-resource.js';
import { Admission } from '../../../src/resource/decorators/admission.js';
import { Controller } from '../../../src/resource/decorators/controller.js';
import { Validate } from '../../../src/resource/decorators/validate.js';
import type { ResourceClass } from '../../../src/resource/model.js';
import { ObjectController } from '../../../src/resource/object-controller.js';
import { ConvertsTo } from '../../../src/resource/decorators/converts-to.js';
import { Field } from '../../../src/resource/decorators/field.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';

const group = 'apps.example.com';

@Kind({ group, version: 'v1', kind: 'PodSet' })
class PodSet extends CustomResource {
  @Field() size!: string;

  reconcile(): void {
    return undefined;
  }
}

@Kind({ group, version: 'v1beta1', kind: 'PodSet' })
@ConvertsTo(PodSet, [move('replicas', 'size')])
abstract class PodSetV1Beta1 extends CustomResource {
  @Field() replicas!: string;
}

const sources = buildResourceModels([PodSet, PodSetV1Beta1]).map((model) => ({ model, sourceFile: 'podset.ts' }));

const content = (path: string, options: ManifestOptions = {}): string =>
  generateManifests(sources, options).find((file) => file.path === path)?.content ?? '';

const definition = (path: string, options: ManifestOptions = {}): UnstructuredObject | undefined =>
  (parseYamlDocuments(content(path, options), path) as UnstructuredObject[])[0];

const conversion = {
  strategy: 'Webhook',
  webhook: {
    clientConfig: { service: { name: 'podset-webhook-service', namespace: 'podset-system', path: '/convert' } },
    conversionReviewVersions: ['v1'],
  },
};

describe('the manifests of an operator that converts the versions of a kind', () => {
  test.each([
    ['apps.example.com_podsets.yaml', {}],
    ['podset/config/crd/bases/apps.example.com_podsets.yaml', { layout: 'kustomize' as const }],
  ])('the API server can call the operator for conversions: %s', (path, options) => {
    expect(definition(path, options)).toMatchObject({ spec: { conversion } });
    expect(definition(path, { ...options, certificates: 'cert-manager' })).toMatchObject({
      metadata: { annotations: { 'cert-manager.io/inject-ca-from': 'podset-system/podset-serving-cert' } },
      spec: { conversion },
    });
  });

  test('the chart configures conversions for the namespace of the release', () => {
    const text = content('podset/chart/templates/definitions.yaml', { layout: 'helm', certificates: 'cert-manager' });
    expect(text).toContain('cert-manager.io/inject-ca-from: {{ .Release.Namespace }}/podset-serving-cert');
    expect(text).toContain('namespace: {{ .Release.Namespace | quote }}');
  });

  test('an operator with conversions has a Service and two replicas with a certificate, and no admission webhooks', () => {
    const paths = generateManifests(sources).map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['podset/06-webhook-service.yaml']));
    expect(paths).not.toContain('podset/08-webhooks.yaml');
    expect(content('podset/07-deployment.yaml')).toMatch(
      /--webhook-authority=podset[^]*replicas: 2|replicas: 2[^]*--webhook-authority=podset/,
    );
    expect(content('podset/02-roles.yaml')).toMatch(/resourceNames:\s+- podsets\.apps\.example\.com\n/);
  });

  test('with certificates files the caBundle of a conversion is not managed', () => {
    const crd = definition('apps.example.com_podsets.yaml', { certificates: 'files' });
    expect(crd?.metadata.annotations).toBeUndefined();
    expect(crd).toMatchObject({ spec: { conversion } });
  });

  test('conversions are rejected for some namespaces, because a kind has a single converter (G13)', () => {
    expect(() => generateManifests(sources, { watchNamespaces: ['a'] })).toThrow(
      'PodSet: only one installation can convert the objects of a cluster',
    );
  });

  test('an operator for some namespaces reconciles a kind that another one converts for all namespaces (G13)', () => {
    @Kind({ group, version: 'v1', kind: 'Part', storage: true })
    abstract class Part extends CustomResource {
      @Field() size!: string;
    }

    @Kind({ group, version: 'v2', kind: 'Part' })
    @ConvertsTo(Part, [move('replicas', 'size')])
    abstract class PartV2 extends CustomResource {
      @Field() replicas!: string;
    }

    @Controller({ for: Part })
    class PartController extends ObjectController<Part> {
      reconcile(): void {
        return undefined;
      }
    }

    @Admission(Part)
    class PartReview {
      @Validate() check(): void {
        return undefined;
      }
    }

    const models = buildResourceModels([Part, PartV2, PartController, PartReview] as ResourceClass[]);
    const [hub, spoke, controller] = models.map((model) => ({ model, sourceFile: `${model.className}.ts` }));
    const converting = generateManifests([hub!, spoke!]).map(({ path }) => path);
    expect(converting).toEqual(expect.arrayContaining(['apps.example.com_parts.yaml', 'part/07-deployment.yaml']));
    const reconciling = generateManifests([controller!], { watchNamespaces: ['a'] }).map(({ path }) => path);
    expect(reconciling).toContain('part-controller/05-deployment.yaml');
    expect(reconciling).not.toContain('apps.example.com_parts.yaml');
  });

  test('conversions do not warn that fields are lost', () => {
    const warnings: string[] = [];
    generateManifests(sources, { warn: (warning) => warnings.push(warning) });
    expect(warnings).toEqual([]);
  });

  test('the notes of a chart name the command that ends the conversion after helm uninstall', () => {
    expect(content('podset/chart/templates/NOTES.txt', { layout: 'helm' })).toContain(
      'npx kindwright undeploy --namespace {{ .Release.Namespace }}\n',
    );
  });
});
