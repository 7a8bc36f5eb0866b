/** Any depth of JSON, written by tests. */
export type Json = Record<string, unknown>;

/** A definition of one version that every server takes. */
export function baseDefinition(schema: Json = baseSchema(), plural = 'gadgets'): Json {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.crd.example.com` },
    spec: {
      group: 'crd.example.com',
      scope: 'Namespaced',
      names: { plural, kind: plural[0]!.toUpperCase() + plural.slice(1, -1) },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}

export function baseSchema(spec: Json = { type: 'object' }): Json {
  return { type: 'object', properties: { spec } };
}

/** A definition whose objects have a spec of these properties. */
export function withProperties(properties: Json, more: Json = {}): Json {
  return baseDefinition(baseSchema({ type: 'object', properties, ...more }));
}

/** A definition with one property, `spec.x`, of this schema. */
export function withProperty(schema: Json): Json {
  return withProperties({ x: schema });
}

/** The definition with a member set, by a path like `spec.versions.0.name`; undefined takes it away. */
export function changed(definition: Json, path: string, value: unknown): Json {
  const copy = structuredClone(definition);
  const segments = path.split('/');
  const last = segments.pop()!;
  let at: Json = copy;
  for (const segment of segments) at = (at[segment] ??= {}) as Json;
  if (value === undefined) Reflect.deleteProperty(at, last);
  else at[last] = value;
  return copy;
}
