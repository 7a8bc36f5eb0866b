import { invalidValue, type FieldError } from '../../../api/protocol/field-error.js';

const PREFIX = 'pod-security.kubernetes.io/';
export const LEVELS = ['privileged', 'baseline', 'restricted'] as const;
export type Level = (typeof LEVELS)[number];

/** A level of the Pod Security Standards in a version of Kubernetes. */
export interface LevelVersion {
  readonly level: Level;
  /** `latest` or `v1.<minor>`. */
  readonly version: string;
}

/** The policy of a namespace for its pods. */
export interface SecurityPolicy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
  /** Errors of invalid labels; enforcement then uses the restricted level, the other modes none. */
  readonly errors: readonly FieldError[];
}

/** Parses the policy in a namespace's labels; the default level is privileged. */
export function securityPolicy(labels: Readonly<Record<string, string>> = {}): SecurityPolicy {
  const errors: FieldError[] = [];
  const read = (mode: 'enforce' | 'audit' | 'warn'): LevelVersion => {
    const [level, version] = [labels[`${PREFIX}${mode}`], labels[`${PREFIX}${mode}-version`]];
    const isLevel = (LEVELS as readonly (string | undefined)[]).includes(level);
    if (level !== undefined && !isLevel) errors.push(labelError(mode, level, `must be one of ${LEVELS.join(', ')}`));
    const isVersion = version === undefined || /^(latest|v1\.(\d|[1-9]\d*))$/.test(version);
    if (!isVersion) errors.push(labelError(`${mode}-version`, version, 'must be "latest" or "v1.x"'));
    const fallback = level !== undefined && mode === 'enforce' ? 'restricted' : 'privileged';
    return { level: isLevel ? (level as Level) : fallback, version: (isVersion ? version : undefined) ?? 'latest' };
  };
  const [enforce, audit, warn] = [read('enforce'), read('audit'), read('warn')];
  const isDefaulted =
    labels[`${PREFIX}warn`] === undefined &&
    labels[`${PREFIX}enforce`] === enforce.level &&
    enforce.level !== 'privileged';
  const defaulted = labels[`${PREFIX}warn-version`] === undefined ? enforce : { ...warn, level: enforce.level };
  return { enforce, audit, warn: isDefaulted ? defaulted : warn, errors };
}

export function policyName({ level, version }: LevelVersion): string {
  return `${level}:${version}`;
}

function labelError(label: string, value: string, why: string): FieldError {
  return invalidValue(`metadata.labels[${PREFIX}${label}]`, value, why);
}
