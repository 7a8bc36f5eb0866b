import type { IncomingMessage } from 'node:http';
import { changeLogLevel } from '../../base/change-log-level.js';
import { sleep, type Clock } from '../../base/clock.js';
import { foreignRequest } from '../../base/http-server/foreign-request.js';
import { LOG_LEVELS } from '../../base/log-threshold.js';
import { OperatorError } from '../../base/operator-error.js';
import { formatTime } from '../../base/timestamp.js';
import {
  isLoopbackHost,
  listen,
  parseBindAddress,
  type Answer,
  type HttpEndpoint,
  type Routes,
} from '../http-endpoint.js';
import type { ManagerServer } from '../manager-server.js';
import type { RunOptions } from '../run-options.js';
import { cacheState, informerState, queueState, type Inspected } from './debug-state.js';

const DEFAULT_SECONDS = 30;
const MOST_SECONDS = 600;
const DEFAULT_KEYS = 100;
const MOST_KEYS = 10_000;

const INDEX = `/debug/heap                 heap snapshot for Chrome DevTools; contains Secrets and stops the process for seconds
/debug/profile?seconds=${DEFAULT_SECONDS}   CPU profile for Chrome DevTools
/debug/caches               objects and size of each cache, and its largest fields
/debug/queues?limit=${DEFAULT_KEYS}     waiting, processing and delayed keys of each controller, the oldest first
/debug/informers            state of each watch
/debug/log-level            level of the log; PUT /debug/log-level?level=debug changes it
`;

/**
 * Serves the state of the process below `/debug`, on loopback only.
 *
 * Data of objects is only in heap snapshots. Requests that may come from a web page are refused: a snapshot stops the process.
 */
export class DebugServer implements ManagerServer {
  private endpoint: HttpEndpoint | undefined;
  private isProfiling = false;
  private isTakingSnapshot = false;

  /** @throws OperatorError for an address that other machines reach. */
  constructor(
    private readonly inspected: Inspected,
    private readonly options: RunOptions,
  ) {
    const { debugBindAddress = '0' } = options;
    const target = parseBindAddress(debugBindAddress);
    if (!target || isLoopbackHost(target.host)) return;
    throw new OperatorError(`debug address '${debugBindAddress}' is not a loopback address`, {
      code: 'E_BIND_ADDRESS',
      hint: `heap snapshots contain Secrets: use '127.0.0.1:${target.port}', which kubectl port-forward reaches`,
    });
  }

  async start(): Promise<void> {
    const index = (): Answer => ({ status: 200, text: INDEX });
    const routes: Routes = {
      '/': index,
      '/debug': index,
      '/debug/': index,
      '/debug/heap': (request) => this.heap(request),
      '/debug/profile': (request, signal) => this.profile(request, signal),
      '/debug/caches': () => indented(cacheState(this.inspected)),
      '/debug/queues': (request) => this.queues(request),
      '/debug/informers': () => indented(informerState(this.inspected)),
      '/debug/log-level': () => this.logLevel(),
      'PUT /debug/log-level': ({ url }) => this.setLogLevel(url),
    };
    this.endpoint = await listen(this.options.debugBindAddress ?? '0', localOnly(routes));
    if (this.endpoint) this.options.logger.info('Serving debug data', { address: this.endpoint.address });
  }

  async close(): Promise<void> {
    await this.endpoint?.close();
  }

  private queues({ url }: IncomingMessage): Answer {
    const limit = countOf(url, 'limit', DEFAULT_KEYS, MOST_KEYS);
    return typeof limit === 'number' ? indented(queueState(this.inspected, limit)) : limit;
  }

  private logLevel(): Answer {
    const { logThreshold } = this.options;
    if (!logThreshold) return { status: 404, text: 'the level cannot be changed: the Manager has no logThreshold\n' };
    return { status: 200, text: `${logThreshold.level}\n` };
  }

  private setLogLevel(url = ''): Answer {
    const { logThreshold, logger } = this.options;
    const text = new URLSearchParams(url.split('?')[1]).get('level');
    const level = LOG_LEVELS.find((each) => each === text);
    if (!level) return { status: 400, text: `level must be one of ${LOG_LEVELS.join(', ')}\n` };
    if (logThreshold) changeLogLevel(logThreshold, level, '/debug/log-level', logger);
    return this.logLevel();
  }

  private async profile({ url, method }: IncomingMessage, signal: AbortSignal): Promise<Answer> {
    const { clock } = this.options;
    const seconds = countOf(url, 'seconds', DEFAULT_SECONDS, MOST_SECONDS);
    if (typeof seconds !== 'number') return seconds;
    if (method === 'HEAD') return { status: 200, text: '' };
    if (this.isProfiling) return { status: 409, text: 'another CPU profile is being taken\n' };
    this.isProfiling = true;
    try {
      const profile = await cpuProfile(seconds * 1000, clock, signal);
      const headers = this.download('cpuprofile');
      return { status: 200, text: `${JSON.stringify(profile)}\n`, contentType: JSON_TYPE, headers };
    } finally {
      this.isProfiling = false;
    }
  }

  private heap({ method }: IncomingMessage): Answer {
    if (method === 'HEAD') return { status: 200, text: '' };
    if (this.isTakingSnapshot) return { status: 409, text: 'another heap snapshot is being taken\n' };
    const stream = process.getBuiltinModule('node:v8').getHeapSnapshot();
    this.isTakingSnapshot = true;
    stream.once('close', () => {
      this.isTakingSnapshot = false;
    });
    return { status: 200, text: '', contentType: JSON_TYPE, headers: this.download('heapsnapshot'), stream };
  }

  /** DevTools opens files by their extension. */
  private download(extension: string): Record<string, string> {
    const time = formatTime(this.options.clock.now()).replaceAll(':', '');
    return { 'content-disposition': `attachment; filename="${time}.${extension}"` };
  }
}

const JSON_TYPE = 'application/json';

function indented(state: object): Answer {
  return { status: 200, text: `${JSON.stringify(state, undefined, 2)}\n`, contentType: JSON_TYPE };
}

/** The routes, with requests that may come from a web page refused. */
function localOnly(routes: Routes): Routes {
  const guarded = Object.entries(routes).map(([path, handler]): [string, Routes[string]] => [
    path,
    (request, signal) => {
      const reason = foreignRequest(request);
      return reason === undefined ? handler(request, signal) : { status: 403, text: `${reason}\n` };
    },
  ]);
  return Object.fromEntries(guarded);
}

/** Returns a parameter of the query that is a number from 1 to `most`, or the answer to an invalid one. */
function countOf(url = '', name: string, fallback: number, most: number): number | Answer {
  const text = new URLSearchParams(url.split('?')[1]).get(name);
  if (text === null) return fallback;
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= most) return count;
  return { status: 400, text: `${name} must be a whole number from 1 to ${most}\n` };
}

/**
 * Samples the stacks of this process for `durationMs`, by default every millisecond, and returns a profile in the format of
 * `.cpuprofile` files. Profiles of one process must not overlap.
 *
 * Rejects with the reason of the signal, which ends the sampling.
 */
async function cpuProfile(durationMs: number, clock: Clock, signal: AbortSignal): Promise<object> {
  const { Session } = process.getBuiltinModule('node:inspector/promises');
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
    await sleep(clock, durationMs, signal);
    return (await session.post('Profiler.stop')).profile;
  } finally {
    session.disconnect(); // also ends the sampling
  }
}
