import type { Client } from '../../src/client/client.js';
import { eventually } from '../../src/testing/eventually.js';
import { StartedCommand } from '../cli/started-command.js';
import { TemporaryProject } from '../cli/temporary-project.js';

/** A real operator process with an embedded server and its console. */
export class StartedConsole implements AsyncDisposable {
  private constructor(
    private readonly project: TemporaryProject,
    readonly operator: StartedCommand,
    /** The administrator's. */
    readonly client: Client,
    /** The URL that the operator has printed, with the token. */
    readonly url: string,
  ) {}

  /** Starts operators, given as source files by their name. */
  static async start(
    operators: Readonly<Record<string, string>>,
    flags: readonly string[] = [],
  ): Promise<StartedConsole> {
    const files = Object.entries(operators).map(([name, text]): [string, string] => [`operators/${name}`, text]);
    const project = new TemporaryProject(Object.fromEntries(files));
    const operator = new StartedCommand(project.start('run-operator', ['--embedded', '--console=0', ...flags]));
    const client = await operator.client();
    const url = await eventually(() => {
      const [found] = /http:\/\/127\.0\.0\.1:\d+\/#t=[\w-]+/.exec(operator.stdout + operator.stderr) ?? [];
      if (found === undefined) throw new Error('the URL of the console is not yet printed');
      return found;
    });
    return new StartedConsole(project, operator, client, url);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.operator.end();
    this.project.remove();
  }
}
