import { describe, expect, test } from '@jest/globals';
import { pluralOf } from '../../src/resource/plural.js';

/** As controller-gen 0.23 names them, but for Mydemo and Repo, to which it adds -es. */
const PLURALS = `
  PodSet podsets, HelloApp helloapps, Mydemo mydemos, NodePool nodepools, PodBugger podbuggers, Repo repos,
  Policy policies, Gateway gateways, Survey surveys, Guy guys, Soliloquy soliloquies, Class classes, Ingress ingresses,
  Status statuses, Prometheus prometheuses, Redis redis, DNS dnses, Analysis analyses, Crisis crises, Alias aliases,
  Batch batches, Mesh meshes, Box boxes, Quiz quizzes, Waltz waltzes, Fez fezzes, Shelf shelves, Leaf leaves,
  Proof proofs, Knife knives, Radio radios, Hero heroes, Tomato tomatoes, Volcano volcanos, Human humans,
  Person people, Child children, Index indices, SearchIndex searchindices, Vertex vertices, Matrix matrices,
  Fish fish, Series series, News news, Metadata metadata, Endpoints endpoints, Database databases, Cache caches,
  Release releases, Warehouse warehouses, Quota quotas, Kafka kafkas, VPC vpcs, S3 s3s, Complex complexes`;

describe('pluralOf', () => {
  test.each(PLURALS.split(',').map((pair) => pair.trim().split(' ')))('the plural of %s is %s', (kind, plural) => {
    expect(pluralOf(kind)).toBe(plural);
  });
});
