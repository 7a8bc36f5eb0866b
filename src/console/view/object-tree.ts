import type { OwnerReference, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { controllerOf } from '../../api/kinds/owner-reference.js';
import type { KindId, ObjectRow, ObjectTree, TreeNode } from '../wire.js';
import type { CachedObject, CachedObjects } from '../cached-objects.js';
import { kindId } from '../kind-id.js';
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
  const builder = new TreeBuilder(childrenByOwner([...objects.all(), ...uncached]), view);
  const { top, missing } = topOwner(
    selected,
    (uid) => objects.find(uid) ?? uncached.find(({ object }) => object.metadata.uid === uid),
  );
  const node = builder.node(top, 0);
  const root = missing ? { row: missingRow(missing, top), children: [node], omitted: [] } : node;
  return { root, selected: selected.object.metadata.uid ?? '' };
}

/** Returns the topmost owner that can be found, and the owner above it that cannot. */
function topOwner(
  selected: CachedObject,
  find: (uid: string) => CachedObject | undefined,
): { readonly top: CachedObject; readonly missing?: ReadonlyDeep<OwnerReference> } {
  let top = selected;
  const above = new Set([selected.object.metadata.uid]);
  for (let level = 0; level < MOST_LEVELS; level++) {
    const owner = controllerOf(top.object) ?? top.object.metadata.ownerReferences?.[0];
    if (!owner || above.has(owner.uid)) break;
    above.add(owner.uid);
    const found = find(owner.uid);
    if (!found) return { top, missing: owner };
    top = found;
  }
  return { top };
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
    const shown: TreeNode[] = [];
    const omitted = new Map<KindId, number>();
    for (const [kind, owned] of Map.groupBy(this.owned(cached), (child) => kindId(child.kind))) {
      let count = 0;
      for (const child of owned) {
        if (this.isShown(child)) continue; // below one of its siblings
        count++;
        if (count <= MOST_OF_KIND && this.nodes < MOST_NODES && level < MOST_LEVELS)
          shown.push(this.node(child, level + 1));
        else omitted.set(kind, (omitted.get(kind) ?? 0) + 1);
      }
    }
    return {
      row: this.view.row(cached),
      children: shown,
      omitted: [...omitted].map(([kind, count]) => ({ kind, count })),
    };
  }

  /** Returns the objects that an object owns, by kind and name, and notes that it is in the tree. */
  private owned({ object }: CachedObject): CachedObject[] {
    const { uid = '' } = object.metadata;
    this.seen.add(uid);
    return [...(this.children.get(uid) ?? [])].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  }

  private isShown({ object }: CachedObject): boolean {
    return this.seen.has(object.metadata.uid ?? '');
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
