import type { KindRef } from '../../api/kinds/kind-ref.js';
import { keyOf } from '../../api/objects/object-key.js';
import type { Logger } from '../../base/logger.js';

type Reason = 'name' | 'namespace' | 'unwatched';

/** Finds names that a mapper returns and that no reconciled object can have; logs the first name of each reason. */
export class UnmatchedNames {
  private readonly reported = new Set<Reason>();

  constructor(
    /** Such as `@Watches(Node) of Pool`. */
    private readonly source: string,
    private readonly ownKind: KindRef,
    /** The watched namespaces of the reconciled kind; undefined for all. */
    private readonly namespaces: ReadonlySet<string> | undefined,
    private readonly logger: Logger,
  ) {}

  /** Returns true, after a report, if no object of the reconciled kind can have the name. */
  includes(name: string, namespace: string | undefined): boolean {
    const reason = this.reasonOf(name, namespace);
    if (reason !== undefined && !this.reported.has(reason)) this.report(reason, name, namespace);
    return reason !== undefined;
  }

  private reasonOf(name: string, namespace: string | undefined): Reason | undefined {
    if (name === '') return 'name';
    if (this.ownKind.scope === 'Cluster') return undefined;
    if (namespace === undefined || namespace === '') return 'namespace';
    return this.namespaces?.has(namespace) === false ? 'unwatched' : undefined;
  }

  private report(reason: Reason, name: string, namespace: string | undefined): void {
    this.reported.add(reason);
    const { kind } = this.ownKind;
    if (reason === 'unwatched')
      this.logger.warn(`${this.source} maps to ${kind} ${keyOf(name, namespace)}, which is ignored`, {
        hint: `the operator does not watch namespace ${namespace ?? ''}; pass --namespace for it if it should`,
      });
    else if (reason === 'name')
      this.logger.error(`${this.source} maps to a ${kind} with an empty name, which is ignored`);
    else
      this.logger.error(`${this.source} maps to ${kind} ${name} without a namespace, which is ignored`, {
        hint: 'the watched object has no namespace: return { name, namespace } from the mapper, or use allObjects()',
      });
  }
}
