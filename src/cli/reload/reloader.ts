import { dirname } from 'node:path';
import { cacheKey } from '../../api/kinds/kind-ref.js';
import type { Clock } from '../../base/clock.js';
import { deepEqual } from '../../base/deep-equal.js';
import { displayPath } from '../../base/display-path.js';
import type { Logger } from '../../base/logger.js';
import type { ResourceModel } from '../../resource/model.js';
import { loadCaches } from '../load-resources.js';
import type { ProjectLoader } from '../loader/project-loader.js';
import { logError } from '../report-error.js';
import type { LoadedOperators } from '../run-on-cluster.js';
import { planReload, type ReloadPlan } from './plan-reload.js';
import type { ClassSwap } from './class-swap.js';
import { SourceWatcher } from './source-watcher.js';

export interface ReloaderOptions {
  readonly loader: ProjectLoader;
  readonly patterns: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
  /** True if the name of a lease may derive from the names of the classes. */
  readonly hasLease: boolean;
  /** Called when the operators have to start again with other classes. */
  readonly onRestart: (operators: LoadedOperators) => void;
  /** Called when a manager uses other classes. */
  readonly onUsed: (models: readonly ResourceModel[]) => void;
}

/**
 * Loads the operators again whenever one of their files has changed, and has a manager use them. Errors are logged, and the
 * earlier code is used on. Several changes are taken over one after the other.
 */
export class Reloader {
  private readonly watcher: SourceWatcher;
  private readonly changed = new Set<string>();
  private work = Promise.resolve();
  /** Undefined while no manager runs. */
  private swap: ClassSwap | undefined;
  private logger: Logger;
  /** Aborted by a change of files while another one is being taken over. */
  private superseded = new AbortController();
  private models: readonly ResourceModel[];
  private caches: readonly string[];

  constructor(
    operators: LoadedOperators,
    private readonly options: ReloaderOptions,
  ) {
    this.logger = options.logger;
    this.models = operators.resources.map(({ model }) => model);
    this.caches = operators.caches.map(cacheKey);
    this.watcher = new SourceWatcher({
      clock: options.clock,
      onChange: (paths) => {
        for (const path of paths) this.changed.add(path);
        this.superseded.abort(new Error('the files have changed again'));
        this.work = this.work.then(() => this.reload());
      },
    });
    this.watch();
  }

  /** The number of files that are watched. */
  get fileCount(): number {
    return this.options.loader.modules.paths.size;
  }

  /** Must be called when a manager has begun to run the present classes. */
  attach(swap: ClassSwap, logger: Logger): void {
    this.swap = swap;
    this.logger = logger;
  }

  /** Must be called when the manager has stopped. */
  detach(): void {
    this.swap = undefined;
  }

  async close(): Promise<void> {
    this.watcher.close();
    this.superseded.abort(new Error('the operator stops'));
    await this.work;
  }

  private watch(): void {
    const { paths } = this.options.loader.modules;
    this.watcher.watch(
      paths,
      this.options.loader.files.map((file) => dirname(file)),
    );
  }

  private async reload(): Promise<void> {
    if (this.changed.size === 0) return;
    const paths = [...this.changed];
    this.changed.clear();
    this.superseded = new AbortController();
    const { signal } = this.superseded;
    const startMs = this.options.clock.monotonic();
    try {
      this.warnOfPermanent(paths);
      const summary = await this.use(await this.load(paths), signal);
      const ms = Math.round(this.options.clock.monotonic() - startMs);
      this.logger.info(summary, { files: paths.map((path) => displayPath(path)).join(', '), ms });
    } catch (error) {
      if (signal.aborted) return; // the next change is taken over together with this one
      logError(this.logger, error, false);
      this.logger.warn('The earlier code is used until the error is corrected');
    } finally {
      this.watch();
    }
  }

  private async load(paths: readonly string[]): Promise<LoadedOperators> {
    const { loader, patterns } = this.options;
    const resources = await loader.reload(paths);
    return { resources, caches: await loadCaches(patterns) };
  }

  /** Returns what has changed. */
  private async use(operators: LoadedOperators, signal: AbortSignal): Promise<string> {
    const { swap, models } = this;
    const next = operators.resources.map(({ model }) => model);
    const plan = planReload(models, next, this.options.hasLease);
    const caches = operators.caches.map(cacheKey);
    const restart = deepEqual(caches, this.caches) ? plan.restart : 'the exported list caches has changed';
    await swap?.install(models, next, signal);
    if (!swap || restart !== undefined) {
      this.models = next;
      this.caches = caches;
      this.detach();
      this.options.onRestart(operators);
      return `The operators start again: ${restart ?? 'their files have changed'}`;
    }
    await swap.use(plan, signal, (previous, used) => {
      this.models = [...this.models.filter((model) => model !== previous), ...(used ? [used] : [])];
    });
    this.models = next;
    this.options.onUsed(next);
    return describePlan(plan);
  }

  private warnOfPermanent(paths: readonly string[]): void {
    for (const path of paths.filter((each) => this.options.loader.modules.permanent.has(each)))
      this.logger.warn(`${displayPath(path)} is a CommonJS module, which Node cannot load again`, {
        hint: 'start the command again, or make it an ES module',
      });
  }
}

function describePlan({ replaced, added, removed }: ReloadPlan): string {
  const parts = [
    ['Reloaded', replaced.map(({ next }) => next)],
    ['Added', added],
    ['Removed', removed],
  ] as const;
  const texts = parts
    .filter(([, models]) => models.length > 0)
    .map(([verb, models]) => `${verb} ${models.map(({ className }) => className).join(', ')}`);
  return texts.length > 0 ? texts.join('; ') : 'Reloaded files that no class depends on';
}
