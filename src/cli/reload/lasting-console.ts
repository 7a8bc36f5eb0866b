import type { Logger } from '../../base/logger.js';
import { Client } from '../../client/client.js';
import type { ClusterConfig } from '../../client/cluster-config.js';
import type { Console } from '../../console/console.js';
import type { ResourceModel } from '../../resource/model.js';
import type { OpenConsole, OpenedConsole } from '../run-on-cluster.js';

/** A console that goes on, with its URL, when the operators start again. */
export class LastingConsole {
  private console: Console | undefined;
  private client: Client | undefined;
  private isInBrowser = false;

  constructor(
    private readonly create: OpenConsole<Console>,
    private readonly config: ClusterConfig,
  ) {}

  /** Opens the console for operators; later, for those that take their place. */
  readonly open = async (models: readonly ResourceModel[], logger: Logger): Promise<OpenedConsole> => {
    const console = (this.console ??= await this.create(models, logger));
    console.useModels(models);
    return {
      managerOptions: console.managerOptions,
      clientMetrics: console.clientMetrics,
      writeRedirect: () => this.writeRedirectOnce(console),
      get url() {
        return console.url;
      },
      start: async () => {
        if (this.client) return;
        this.client = new Client(this.config, { logger });
        await console.start(this.client);
      },
      close: () => Promise.resolve(),
    };
  };

  /** The page stays open when the operators start again. */
  private writeRedirectOnce(console: Console): string | undefined {
    if (this.isInBrowser) return undefined;
    this.isInBrowser = true;
    return console.writeRedirect();
  }

  useModels(models: readonly ResourceModel[]): void {
    this.console?.useModels(models);
  }

  async close(): Promise<void> {
    await this.console?.close();
    this.client?.close();
  }
}
