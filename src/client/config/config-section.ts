import { dirname, resolve } from 'node:path';
import type { KeyMaterial } from './tls-config.js';
import { Secret } from '../secret.js';
import { ConfigError } from './config-error.js';

type Mapping = Readonly<Record<string, unknown>>;

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** One mapping of a kubeconfig. The getters throw a ConfigError with file and path for a value of the wrong type. */
export class ConfigSection {
  private constructor(
    readonly file: string,
    /** The path in the file, such as `users[admin].user`. */
    readonly path: string,
    private readonly mapping: Mapping,
  ) {}

  /** @throws ConfigError if the value is not a mapping. */
  static of(file: string, path: string, value: unknown): ConfigSection {
    if (value === undefined || value === null) return new ConfigSection(file, path, {});
    if (typeof value === 'object' && !Array.isArray(value)) return new ConfigSection(file, path, value as Mapping);
    throw new ConfigError(`${file}: ${path === '' ? 'a kubeconfig' : path} must be a mapping, but is ${nameOf(value)}`);
  }

  get isEmpty(): boolean {
    return Object.keys(this.mapping).length === 0;
  }

  /** Returns undefined if the key is missing or its value is empty. */
  string(key: string): string | undefined {
    const value = this.get(key);
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value !== 'string') throw this.error(key, `must be a string, but is ${nameOf(value)}`);
    return value;
  }

  secret(key: string): Secret | undefined {
    const value = this.string(key);
    return value === undefined ? undefined : new Secret(value);
  }

  boolean(key: string): boolean {
    const value = this.get(key);
    if (value === undefined || value === null) return false;
    if (typeof value !== 'boolean') throw this.error(key, `must be true or false, but is ${nameOf(value)}`);
    return value;
  }

  strings(key: string): string[] {
    return this.list(key).map((value, index) => {
      if (typeof value !== 'string') throw this.error(`${key}[${index}]`, `must be a string, but is ${nameOf(value)}`);
      return value;
    });
  }

  /** Returns the mappings of a list. */
  sections(key: string): ConfigSection[] {
    return this.list(key).map((value, index) => ConfigSection.of(this.file, `${this.at(key)}[${index}]`, value));
  }

  section(key: string): ConfigSection {
    return ConfigSection.of(this.file, this.at(key), this.get(key));
  }

  /** Returns the value without a type check. */
  get(key: string): unknown {
    return Object.hasOwn(this.mapping, key) ? this.mapping[key] : undefined;
  }

  get keys(): string[] {
    return Object.keys(this.mapping);
  }

  /** Returns a path, resolved against the folder of the file. */
  filePath(key: string): string | undefined {
    const value = this.string(key);
    return value === undefined ? undefined : resolve(dirname(this.file), value);
  }

  /** Returns a certificate or key: the base64 of `<key>-data`, otherwise the file at the path `<key>`. */
  material(key: string): KeyMaterial | undefined {
    const data = this.string(`${key}-data`)?.replace(/\s/g, '');
    if (data !== undefined) {
      if (!BASE64.test(data)) throw this.error(`${key}-data`, 'is not base64');
      return { data: new Secret(Buffer.from(data, 'base64').toString()) };
    }
    const file = this.filePath(key);
    return file === undefined ? undefined : { file };
  }

  /** Creates an error about one key of this section. */
  error(key: string, what: string, hint?: string): ConfigError {
    return new ConfigError(`${this.file}: ${this.at(key)} ${what}`, hint === undefined ? {} : { hint });
  }

  private list(key: string): unknown[] {
    const value = this.get(key);
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) throw this.error(key, `must be a list, but is ${nameOf(value)}`);
    return value;
  }

  private at(key: string): string {
    return this.path === '' ? key : `${this.path}.${key}`;
  }
}

function nameOf(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a mapping' : `a ${typeof value}`;
}
