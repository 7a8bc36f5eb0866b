interface PodOptions {
  readonly isMetadataOnly?: boolean;
  /** A name and a uid alone: 200 bytes. */
  readonly isSmall?: boolean;
  readonly version?: number;
}

/** A Pod of 4.2 KB as JSON, or its metadata. */
export function podJson(
  index: number,
  { isMetadataOnly = false, isSmall = false, version = index + 1 }: PodOptions = {},
): string {
  const id = index.toString(16).padStart(12, '0');
  const identity = {
    name: `web-${id}`,
    namespace: `team-${index % 50}`,
    uid: `6b1a7c1e-0000-4000-8000-${id}`,
    resourceVersion: String(version),
  };
  const metadata = isSmall
    ? identity
    : {
        ...identity,
        creationTimestamp: '2026-01-01T00:00:00Z',
        labels: { app: 'web', 'pod-template-hash': id, tier: `tier-${index % 7}` },
        annotations: { 'example.com/checksum': id.repeat(4) },
        ownerReferences: [
          { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `web-${index % 900}`, uid: id, controller: true },
        ],
      };
  if (isMetadataOnly) return JSON.stringify({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata });
  const env = Array.from({ length: 40 }, (_, at) => ({ name: `VARIABLE_${at}`, value: `value ${at} of ${id}` }));
  const containers = [{ name: 'web', image: 'registry.example.com/web:1.2.3', env }];
  const conditions = ['Ready', 'Initialized', 'ContainersReady', 'PodScheduled'].map((type) => ({
    ...{ type, status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z', message: `condition of ${id}`.repeat(8) },
  }));
  const status = { phase: 'Running', podIP: '10.0.0.1', startTime: '2026-01-01T00:00:00Z', conditions };
  const spec = { nodeName: `node-${index % 500}`, containers };
  return JSON.stringify({ kind: 'Pod', apiVersion: 'v1', metadata, spec, status });
}
