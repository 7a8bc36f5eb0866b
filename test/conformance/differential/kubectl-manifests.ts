export const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, labels: { app: web } }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: 'nginx:1', ports: [{ containerPort: 80 }] }] }
`;

export const SETTINGS = `apiVersion: v1
kind: ConfigMap
metadata: { name: settings, labels: { part: config } }
data: { color: blue, size: '1' }
`;

export const WIDGETS = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: gadgets.example.com }
spec:
  group: example.com
  names: { kind: Gadget, plural: gadgets, singular: gadget, shortNames: [gg], categories: [all] }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {}, scale: { specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas } }
      additionalPrinterColumns:
        - { name: Size, type: integer, jsonPath: .spec.size, description: How big it is. }
        - { name: Age, type: date, jsonPath: .metadata.creationTimestamp }
      schema:
        openAPIV3Schema:
          type: object
          description: Gadget is a thing.
          required: [spec]
          properties:
            spec:
              type: object
              description: What is wanted.
              properties:
                size: { type: integer, minimum: 1, maximum: 9, default: 3, description: How big it is. }
                color: { type: string, enum: [red, blue] }
                replicas: { type: integer }
                tags: { type: array, items: { type: string }, x-kubernetes-list-type: set }
                any: { type: object, x-kubernetes-preserve-unknown-fields: true }
                port: { x-kubernetes-int-or-string: true }
                limits: { type: object, additionalProperties: { type: string } }
            status: { type: object, properties: { replicas: { type: integer } } }
`;

/** A gadget named `one`. */
export const gadget = (spec: string): string =>
  `{ "apiVersion": "example.com/v1", "kind": "Gadget", "metadata": { "name": "one" }, "spec": ${spec} }`;
