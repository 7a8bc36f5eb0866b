import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import { resourceName } from '../../api/kinds/kind-ref.js';
import { hasConversion } from '../../resource/conversion/kind-conversion-of.js';
import type { OperatorManifests } from '../layouts/operator-manifests.js';
import { WEBHOOK_PORT } from '../webhooks/webhook-objects.js';

interface Webhook {
  readonly name: string;
  readonly clientConfig: { readonly service: { readonly path: string } };
  readonly namespaceSelector?: object;
  readonly matchConditions?: readonly object[];
}

/** The webhooks as OLM registers them, with certificates of its own. */
export function webhookDefinitions({ operator, deployment, webhooks }: OperatorManifests): object[] {
  const served = {
    containerPort: 443,
    targetPort: WEBHOOK_PORT,
    deploymentName: deployment.metadata.name,
  };
  const converted = operator.models.filter(({ target }) => hasConversion(target)).map(({ kind }) => resourceName(kind));
  return [
    ...(webhooks?.configurations ?? []).flatMap((configuration) =>
      webhooksOf(configuration).map(
        ({ name, clientConfig, namespaceSelector: _, matchConditions: __, ...webhook }) => ({
          type: (configuration.kind ?? '').replace(/Configuration$/, '').replace('Webhook', 'AdmissionWebhook'),
          generateName: name,
          webhookPath: clientConfig.service.path,
          ...webhook,
          ...served,
        }),
      ),
    ),
    ...(converted.length === 0 ? [] : [conversion([...new Set(converted)], served)]),
  ];
}

function conversion(conversionCRDs: readonly string[], served: { readonly deploymentName: string }) {
  return {
    type: 'ConversionWebhook',
    generateName: `convert.${conversionCRDs[0] ?? ''}`,
    webhookPath: '/convert',
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    conversionCRDs,
    ...served,
  };
}

/** The webhooks of the operator with options that OLM cannot represent, and these options. */
export function droppedOptions({ webhooks }: OperatorManifests): string[] {
  return (webhooks?.configurations ?? [])
    .flatMap(webhooksOf)
    .flatMap(({ name, namespaceSelector, matchConditions }) => [
      ...(namespaceSelector ? [`${name}: namespaceSelector`] : []),
      ...(matchConditions ? [`${name}: matchConditions`] : []),
    ]);
}

function webhooksOf(configuration: UnstructuredObject): readonly Webhook[] {
  return configuration['webhooks'] as readonly Webhook[];
}
