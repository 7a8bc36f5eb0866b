import { inLaterTurn } from '../base/turns.js';
import { Namespace } from '../api/kinds/kinds.js';
import { partOf } from '../api/selection/part-of.js';
import type { Logger } from '../base/logger.js';
import { OperatorError } from '../base/operator-error.js';
import type { InformerFactory } from '../cache/informer-factory.js';
import type { Informer } from '../cache/informer.js';
import { ForbiddenError } from '../client/api-error.js';
import type { ManagerOptions } from './manager-options.js';

/** A name of namespaces, in which `*` stands for any characters. */
const PATTERN = /^[a-z0-9*][a-z0-9*-]*$/;

type Selection = Pick<ManagerOptions, 'namespaceSelector' | 'namespacePatterns'>;

/** The parts that follow the namespaces. */
interface Followers {
  readonly informers: InformerFactory;
  /** Must request the informers of all controllers again. */
  readonly renew: () => void;
  readonly logger: Logger;
}

export function selectsNamespaces({ namespaceSelector, namespacePatterns }: Selection): boolean {
  return namespaceSelector !== undefined || namespacePatterns !== undefined;
}

/** @throws OperatorError (E_MANAGER) for options that contradict each other. */
export function assertSelection(options: ManagerOptions, hasClusters: boolean): void {
  if (!selectsNamespaces(options)) return;
  const refuse = (problem: string, hint: string): never => {
    throw new OperatorError(problem, { code: 'E_MANAGER', hint });
  };
  if (options.namespaces && options.namespaces.length > 0)
    refuse('namespaces are both named and selected', 'pass namespaces, or namespaceSelector and namespacePatterns');
  if (options.informers)
    refuse(
      'the given informers have a scope of their own',
      'omit informers, or namespaceSelector and namespacePatterns',
    );
  if (hasClusters)
    refuse(
      'namespaces cannot be selected for classes with clusters',
      'name them in namespaces, or run these classes apart',
    );
  for (const pattern of options.namespacePatterns ?? [])
    if (!PATTERN.test(pattern))
      refuse(`"${pattern}" is not a pattern of namespace names`, "namespacePatterns: ['team-*']");
}

/**
 * The namespaces that match a label selector and patterns. They join and leave while the manager runs: by a label, by their
 * creation, and when they are deleted, with all their objects.
 */
export class NamespaceSelection {
  private readonly informers: readonly Informer[];
  private readonly patterns: readonly RegExp[];
  private selected: readonly string[] = [];
  private isChanging = false;
  private isRefused = false;

  constructor(
    { namespaceSelector, namespacePatterns = [] }: Selection,
    private readonly followers: Followers,
  ) {
    const { informers } = followers;
    const selector = namespaceSelector !== undefined && { labelSelector: namespaceSelector };
    this.informers = informers.informersFor(partOf(Namespace, { metadataOnly: true, ...selector }));
    this.patterns = namespacePatterns.map((pattern) => new RegExp(`^${pattern.replaceAll('*', '.*')}$`));
    for (const informer of this.informers) {
      informer.addEventHandler(() => {
        this.change();
      });
      informer.onError((error) => {
        this.failed(error);
      });
    }
  }

  /** Resolves when the namespaces are known; rejects with the reason of the signal. */
  async synced(signal: AbortSignal): Promise<void> {
    await Promise.all(this.informers.map((informer) => informer.synced(signal)));
    this.update();
  }

  /** Several events at a time are one change. */
  private change(): void {
    if (this.isChanging) return;
    this.isChanging = true;
    inLaterTurn('', () => {
      this.isChanging = false;
      this.update();
    });
  }

  private update(): void {
    if (!this.informers.every(({ hasSynced }) => hasSynced)) return;
    const names = this.informers.flatMap(({ lister }) => [...lister.values()].map(({ metadata }) => metadata.name));
    const matching = names.filter((name) => this.matches(name)).sort();
    const joined = matching.filter((name) => !this.selected.includes(name));
    const left = this.selected.filter((name) => !matching.includes(name));
    if (joined.length === 0 && left.length === 0) return;
    this.selected = matching;
    const { informers, renew, logger } = this.followers;
    logger.info('The watched namespaces have changed', { joined, left, namespaces: matching.length });
    informers.selectNamespaces(matching);
    renew();
    void informers.stopLeft();
  }

  private matches(name: string): boolean {
    return this.patterns.length === 0 || this.patterns.some((pattern) => pattern.test(name));
  }

  private failed(error: Error): void {
    if (!(error instanceof ForbiddenError) || this.isRefused) return;
    this.isRefused = true;
    this.followers.logger.error('Namespaces cannot be selected', {
      err: error,
      hint: "generate the manifests with --namespace-selector or --namespace-pattern, or grant 'list' and 'watch' of namespaces",
    });
  }
}
