import { stringifyYaml } from '../../../base/yaml.js';
import type { Clock } from '../../../base/clock.js';
import { kubernetesData } from '../../data/data-file.js';
import { notAcceptable } from '../../errors/status-error.js';
import { stringAt } from '../../objects/api-object.js';
import { parseAccept, type AcceptClause } from '../../transport/response/accept-header.js';
import type { Outcome } from '../../transport/response/outcome.js';

const MEDIA_TYPES = ['application/json', 'application/yaml', 'text/plain'];
const GROUP = 'config.k8s.io';
const PATHS = ['/healthz', '/livez', '/metrics', '/readyz', '/statusz', '/version'];
const WARNING =
  'Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.';

/** Serves /statusz: when the server started, and its versions; k8s.io/component-base/zpages. */
export class ServerStatus {
  private readonly startedMs: number;

  constructor(private readonly clock: Clock) {
    this.startedMs = clock.now();
  }

  /** @throws StatusError 406 when the client accepts no form of it */
  answer(accept: string): Outcome {
    const clauses = parseAccept(accept === '' ? '*/*' : accept);
    for (const clause of clauses) {
      const outcome = this.inForm(clause);
      if (outcome) return outcome;
    }
    throw notAcceptable(MEDIA_TYPES);
  }

  private inForm(clause: AcceptClause): Outcome | undefined {
    const { type, subtype } = clause;
    const isText = type === '*' || (type === 'text' && (subtype === 'plain' || subtype === '*'));
    if (isText) return { type: 'text', code: 200, contentType: 'text/plain; charset=utf-8', body: this.text() };
    const version = objectVersion(clause);
    if (version === undefined) return undefined;
    const contentType = `application/${subtype};g=${GROUP};v=${version};as=Statusz`;
    const status = this.status(`${GROUP}/${version}`);
    const body = subtype === 'json' ? `${JSON.stringify(status)}\n` : stringifyYaml(status);
    return { type: 'text', code: 200, contentType, body };
  }

  private status(apiVersion: string) {
    const { version } = kubernetesData.resources;
    return {
      kind: 'Statusz',
      apiVersion,
      metadata: { name: 'apiserver' },
      startTime: new Date(this.startedMs).toISOString().replace(/\.\d+Z$/, 'Z'),
      uptimeSeconds: Math.floor((this.clock.now() - this.startedMs) / 1000),
      goVersion: stringAt(version, 'goVersion'),
      binaryVersion: stringAt(version, 'gitVersion').slice(1),
      emulationVersion: `${stringAt(version, 'major')}.${stringAt(version, 'minor')}`,
      paths: PATHS,
    };
  }

  private text(): string {
    const { uptimeSeconds, goVersion, binaryVersion, emulationVersion } = this.status('');
    const [, day, date, month, year, time] = /^(\w+), (\d+) (\w+) (\d+) (\S+)/.exec(
      new Date(this.startedMs).toUTCString(),
    ) as unknown as string[];
    const twoDigits = (value: number): string => String(value).padStart(2, '0');
    const [hours, minutes] = [Math.floor(uptimeSeconds / 3600), Math.floor(uptimeSeconds / 60) % 60];
    return [
      '',
      'apiserver statusz',
      WARNING,
      '',
      `Started: ${day} ${month} ${String(Number(date)).padStart(2)} ${time} UTC ${year}`,
      `Up: ${hours} hr ${twoDigits(minutes)} min ${twoDigits(uptimeSeconds % 60)} sec`,
      `Go version: ${goVersion}`,
      `Binary version: ${binaryVersion}`,
      `Emulation version: ${emulationVersion}`,
      `Paths: ${PATHS.join(' ')}`,
      '',
    ].join('\n');
  }
}

/** Returns the version of the object that a client accepts as JSON or YAML; undefined if it accepts none. */
function objectVersion({ type, subtype, parameters }: AcceptClause): string | undefined {
  const version = parameters.get('v') ?? '';
  const isObject = parameters.get('g') === GROUP && parameters.get('as') === 'Statusz';
  const isKnown = isObject && /^v1(alpha|beta)1$/.test(version);
  return isKnown && type === 'application' && /^(json|yaml)$/.test(subtype) ? version : undefined;
}
