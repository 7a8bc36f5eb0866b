import type { OwnerReference, ReadonlyDeep } from '../../api/kube-object.js';
import { controllerOf } from '../../api/owner-reference.js';
import type { KindId, ObjectRow, ObjectTree, TreeNode } from '../wire.js';
import type { CachedObject, CachedObjects } from './cached-objects.js';
import { kindId } from './kind-id.js';
import type { ObjectView } from './object-view.js';

const MOST_LEVELS = 20;
const MOST_NODES = 500;
/** Children of one kind that are shown below one node. */
const MOST_OF_KIND = 50;

type ChildrenByOwner = ReadonlyMap<string, readonly CachedObject[]>;

/** Returns the tree of owners and owned objects around an object, with a limited number of nodes. */
export function objectTree(
  selected: CachedObject,
  objects: CachedObjects,
  view: ObjectView,
  uncached: readonly CachedObject[] = [],
): ObjectTree {
  const children = childrenByOwner([...objects.all(), ...uncached]);
  let top = selected;
  const above = new Set([selected.object.metadata.uid]);
  let missing: ReadonlyDeep<OwnerReference> | undefined;
  for (let level = 0; level < MOST_LEVELS; level++) {
    const owner = controllerOf(top.object) ?? top.object.metadata.ownerReferences?.[0];
    if (!owner || above.has(owner.uid)) break;
    above.add(owner.uid);
    const found = objects.find(owner.uid) ?? uncached.find(({ object }) => object.metadata.uid === owner.uid);
    if (!found) {
      missing = owner;
      break;
    }
    top = found;
  }
  const builder = new TreeBuilder(children, view);
  const node = builder.node(top, 0);
  const root = missing ? { row: missingRow(missing, top), children: [node], omitted: [] } : node;
  return { root, selected: selected.object.metadata.uid ?? '' };
}

function childrenByOwner(objects: readonly CachedObject[]): ChildrenByOwner {
  const children = new Map<string, CachedObject[]>();
  for (const cached of objects) {
    for (const { uid } of cached.object.metadata.ownerReferences ?? []) {
      const siblings = children.get(uid);
      if (siblings) siblings.push(cached);
      else children.set(uid, [cached]);
    }
  }
  return children;
}

class TreeBuilder {
  private nodes = 0;
  private readonly seen = new Set<string>();

  constructor(
    private readonly children: ChildrenByOwner,
    private readonly view: ObjectView,
  ) {}

  node(cached: CachedObject, level: number): TreeNode {
    this.nodes += 1;
    const { uid = '' } = cached.object.metadata;
    this.seen.add(uid);
    const owned = [...(this.children.get(uid) ?? [])].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
    const shown: TreeNode[] = [];
    const counts = new Map<KindId, number>();
    const omitted = new Map<KindId, number>();
    for (const child of owned) {
      if (this.seen.has(child.object.metadata.uid ?? '')) continue;
      const kind = kindId(child.kind);
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      if (count <= MOST_OF_KIND && this.nodes < MOST_NODES && level < MOST_LEVELS) shown.push(this.node(child, level + 1));
      else omitted.set(kind, (omitted.get(kind) ?? 0) + 1);
    }
    return { row: this.view.row(cached), children: shown, omitted: [...omitted].map(([kind, count]) => ({ kind, count })) };
  }
}

function sortKey({ kind, object: { metadata } }: CachedObject): string {
  return `${kindId(kind)} ${metadata.namespace ?? ''}/${metadata.name}`;
}

/** The row of an owner that is not cached. */
function missingRow({ apiVersion, kind, name, uid }: ReadonlyDeep<OwnerReference>, below: CachedObject): ObjectRow {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  const { namespace } = below.object.metadata;
  return {
    kind: kindId({ group, kind }),
    ...(namespace !== undefined && { namespace }),
    name,
    uid,
    resourceVersion: '',
    createdAt: 0,
    level: 'none',
    state: 'not cached',
  };
}
