import { SourceMap, type SourceMapPayload } from 'node:module';
import { once } from 'node:events';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

interface Location {
  readonly scriptId: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

interface Script {
  readonly scriptId: string;
  readonly url: string;
  readonly sourceMapURL: string;
}

/** Where a program stands, in terms of its source; lines count from 1. */
export interface Pause {
  readonly file: string;
  readonly line: number;
}

/**
 * What an editor's debugger does by the inspector protocol: breakpoints on lines of sources, by their source maps.
 *
 * A script that has a source map is stopped before it runs, so that its breakpoints are there in time.
 */
export class InspectorSession {
  private lastId = 0;
  private readonly pending = new Map<number, (message: Message) => void>();
  private readonly scripts = new Map<string, Script>();
  private readonly breakpoints = new Map<string, number>();
  private onPause: (pause: Pause) => void = () => undefined;
  private onFailure: (error: unknown) => void = () => undefined;

  private constructor(private readonly socket: WebSocket) {
    socket.addEventListener('message', ({ data }) => {
      this.receive(JSON.parse(String(data)) as Message);
    });
  }

  static async connect(url: string): Promise<InspectorSession> {
    const socket = new WebSocket(url);
    await once(socket, 'open');
    const session = new InspectorSession(socket);
    await session.send('Runtime.enable');
    await session.send('Debugger.enable');
    await session.send('Debugger.setInstrumentationBreakpoint', {
      instrumentation: 'beforeScriptWithSourceMapExecution',
    });
    return session;
  }

  /** Takes effect when the file is loaded, and loaded again. */
  breakAt(url: string, line: number): void {
    this.breakpoints.set(url, line);
  }

  /** Lets a program run that was started to wait for a debugger. */
  async run(): Promise<void> {
    await this.send('Runtime.runIfWaitingForDebugger');
  }

  /** Resolves at the next breakpoint. */
  paused(): Promise<Pause> {
    return new Promise((resolve, reject) => {
      this.onPause = resolve;
      this.onFailure = reject;
    });
  }

  /** Steps to the next line. */
  async stepOver(): Promise<Pause> {
    const paused = this.paused();
    await this.send('Debugger.stepOver');
    return paused;
  }

  async resume(): Promise<void> {
    await this.send('Debugger.resume');
  }

  close(): void {
    this.socket.close();
  }

  private send(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const id = ++this.lastId;
    this.socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve, reject) => {
      this.pending.set(id, ({ result, error }) => {
        if (error) reject(new Error(`${method}: ${error.message}`));
        else resolve(result ?? {});
      });
    });
  }

  private receive(message: Message): void {
    if (message.id !== undefined) this.pending.get(message.id)?.(message);
    if (message.method === 'Debugger.scriptParsed') {
      const script = message.params as unknown as Script;
      this.scripts.set(script.scriptId, script);
    }
    if (message.method === 'Debugger.paused')
      this.handlePause(message.params ?? {}).catch((error: unknown) => this.onFailure(error));
  }

  private async handlePause(params: Record<string, unknown>): Promise<void> {
    const [frame] = params['callFrames'] as { location: Location }[];
    const script = this.scripts.get(frame?.location.scriptId ?? '');
    if (!frame || !script) throw new Error('paused outside of any script');
    if (params['reason'] === 'instrumentation') await this.setBreakpoint(script);
    if (params['reason'] === 'instrumentation' || params['reason'] === 'Break on start') await this.resume();
    else this.onPause(sourceOf(frame.location, script));
  }

  private async setBreakpoint(script: Script): Promise<void> {
    const [url = ''] = script.url.split('?'); // a file that is loaded again has another query
    const line = this.breakpoints.get(url);
    if (line === undefined) return;
    const { scriptSource } = await this.send('Debugger.getScriptSource', { scriptId: script.scriptId });
    const location = { scriptId: script.scriptId, ...generatedPlace(String(scriptSource), mapOf(script), line) };
    await this.send('Debugger.setBreakpoint', { location });
  }
}

function mapOf({ sourceMapURL }: Script): SourceMap {
  const encoded = sourceMapURL.split('base64,')[1] ?? '';
  return new SourceMap(JSON.parse(Buffer.from(encoded, 'base64').toString()) as SourceMapPayload);
}

function sourceOf({ lineNumber, columnNumber }: Location, script: Script): Pause {
  const entry = mapOf(script).findEntry(lineNumber, columnNumber);
  if (!('originalSource' in entry)) throw new Error(`${script.url}:${lineNumber + 1} has no source`);
  return { file: entry.originalSource, line: entry.originalLine + 1 };
}

/** The first place of the generated code that comes from a line of the source. */
function generatedPlace(code: string, map: SourceMap, line: number): { lineNumber: number; columnNumber: number } {
  for (const [lineNumber, text] of code.split('\n').entries()) {
    for (let columnNumber = 0; columnNumber < text.length; columnNumber++) {
      const entry = map.findEntry(lineNumber, columnNumber);
      if (!('originalLine' in entry) || entry.generatedLine !== lineNumber) continue;
      if (entry.originalLine === line - 1) return { lineNumber, columnNumber };
    }
  }
  throw new Error(`no code comes from line ${line}`);
}
