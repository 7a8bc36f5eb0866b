/** A bug of kindwright itself, made by a replacement in one of its files when it is loaded. */
export interface OwnMutant {
  readonly id: string;
  readonly bug: string;
  /** Relative to the root of the repository. */
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly text: string;
  readonly replacement: string;
  /** The fault of the plan that must find it. */
  readonly fault: string;
}

export const ownMutants: readonly OwnMutant[] = [
  {
    id: 'k01',
    bug: 'a key that was added during its reconcile is forgotten',
    file: 'src/queue/workqueue.ts',
    text: 'if (this.dirty.has(key) && !this.hasShutDown) this.push(key);',
    replacement: 'this.dirty.delete(key);',
    fault: 'flip',
  },
  {
    id: 'k02',
    bug: 'the cache takes events that are older than its state',
    file: 'src/cache/versioned-store.ts',
    text: 'if (isOldOrSame(version, this.resourceVersion)) return;',
    replacement: '',
    fault: 'duplicate',
  },
  {
    id: 'k03',
    bug: 'a list reports no deletions',
    file: 'src/cache/listed-objects.ts',
    text: 'return this.found < this.store.size ? [...this.missing(), ...this.changes] : this.changes;',
    replacement: 'return this.changes;',
    fault: 'relist',
  },
  {
    id: 'k04',
    bug: 'own writes are not stored in the cache',
    file: 'src/cache/informer.ts',
    text: 'this.versions.observe(cached);',
    replacement: 'void cached;',
    fault: 'lag',
  },
  {
    id: 'k05',
    bug: 'an expired resource version is not followed by a list',
    file: 'src/cache/reflector.ts',
    text: "if (needsRelist(error, this.failuresInARow)) this.state = 'list';",
    replacement: "if (!isExpired(error) && needsRelist(error, this.failuresInARow)) this.state = 'list';",
    fault: 'relist',
  },
  {
    id: 'k06',
    bug: 'writes are not fenced by the lease',
    file: 'src/controller/write/object-writer.ts',
    text: 'this.fence(request.key);',
    replacement: 'void this.fence;',
    fault: 'two-leaders',
  },
  {
    id: 'k07',
    bug: 'ctx.delete has no uid as a precondition',
    file: 'src/controller/context/live-context.ts',
    text: '{ propagationPolicy, preconditions: { uid } }',
    replacement: '{ propagationPolicy }',
    fault: 'takeover',
  },
  {
    id: 'k08',
    bug: 'finalizers are written without a resource version',
    file: 'src/controller/reconcile/finalizers.ts',
    text: 'const patch = { metadata: { uid, resourceVersion, finalizers } };',
    replacement: 'const patch = { metadata: { uid, finalizers } };',
    fault: 'conflict',
  },
  {
    id: 'k09',
    bug: 'finalizers are not added',
    file: 'src/controller/reconcile/reconciler.ts',
    text: 'await this.parts.finalizers.ensure(request, hold ? this.latest(object) : object);',
    replacement: 'await Promise.resolve(hold ? this.latest(object) : object);',
    fault: 'none',
  },
  {
    id: 'k10',
    bug: 'the status is written without the uid',
    file: 'src/controller/write/status-writer.ts',
    text: 'const body = { metadata: { uid, ...patch.precondition }, status: patch.change };',
    replacement: 'const body = { metadata: { ...patch.precondition }, status: patch.change };',
    fault: 'recreate',
  },
  {
    id: 'k11',
    bug: 'an applied child is remembered after its deletion',
    file: 'src/controller/write/applier.ts',
    text: 'this.applied.delete(childKey(kind, name, namespace));',
    replacement: 'void [kind, name, namespace];',
    fault: 'delete-child',
  },
  {
    id: 'k12',
    bug: 'writes are sent again after a lost connection',
    file: 'src/client/retry.ts',
    text: "(isRead && error.reason === 'reset')",
    replacement: "error.reason === 'reset'",
    fault: 'lost-answer',
  },
  {
    id: 'k13',
    bug: 'a leader does not compare its lease with the clock',
    file: 'src/manager/election/leader-elector.ts',
    text: 'return isWithinDeadline && clock.now() - this.renewed.now < leaseDurationMs;',
    replacement: 'return true;',
    fault: 'two-leaders',
  },
  {
    id: 'k14',
    bug: 'the back-off does not grow',
    file: 'src/queue/rate-limiter.ts',
    text: 'baseDelayMs * delayFactor ** Math.min(failures, LARGEST_EXPONENT)',
    replacement: 'baseDelayMs',
    fault: 'refuse',
  },
  {
    id: 'k15',
    bug: 'the deletion of a child does not reconcile its owner',
    file: 'src/controller/sources/event-handler.ts',
    text: '    enqueueOwnersOf(event.object, enqueue, options);\n',
    replacement: "    if (event.type !== 'delete') enqueueOwnersOf(event.object, enqueue, options);\n",
    fault: 'delete-child',
  },
  {
    id: 'k16',
    bug: 'workers start before the caches have synced',
    file: 'src/controller/kind-controller.ts',
    text: 'await this.cachesSynced(signal);',
    replacement: 'void this.cachesSynced(signal).catch(() => undefined);',
    fault: 'crash',
  },
];
