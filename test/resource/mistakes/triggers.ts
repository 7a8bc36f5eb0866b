import { Daemon } from '../../../src/resource/decorators/daemon.js';
import { Every } from '../../../src/resource/decorators/every.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { Source, type SourceOptions } from '../../../src/resource/decorators/source.js';
import { Sound } from './classes.js';

@Kind({ group: 'apps.example.com', version: 'v1' })
@Every('30')
class Timers extends Sound {
  @Every('10ms')
  tooOften(): void {
    return undefined;
  }

  @Every('60 3 * * *')
  badCron(): void {
    return undefined;
  }

  @Every('0 0 30 2 *')
  never(): void {
    return undefined;
  }

  @Every('0 3 * * *', { timeZone: 'Mars/Olympus' })
  badZone(): void {
    return undefined;
  }

  @Every('30s', { timeZone: 'Europe/Berlin' })
  uselessZone(): void {
    return undefined;
  }

  @Every('30s', { jitter: '1m' })
  longJitter(): void {
    return undefined;
  }

  @Every('30s', { jitter: 'NaN' })
  badJitter(): void {
    return undefined;
  }

  @Every(NaN as unknown as string)
  notText(): void {
    return undefined;
  }

  @Every('30s')
  static onClass(): void {
    return undefined;
  }

  @Every('30s')
  override reconcile(): void {
    return undefined;
  }
}

@Kind({ group: 'apps.example.com', version: 'v1' })
class Sources extends Sound {
  @Source({ every: '10' })
  static poll(): string[] {
    return [];
  }

  @Source({ path: 'hooks', auth: { bearer: { env: '' } } })
  static relative(): string[] {
    return [];
  }

  @Source({ path: '/hooks', auth: { bearer: { env: 'TOKEN' } }, maxBodyBytes: 0 })
  static zeroBytes(): string[] {
    return [];
  }

  @Source({ path: '/hooks', auth: { hmac: { file: '/key' } } })
  static samePath(): string[] {
    return [];
  }

  @Source({ path: '/open' } as SourceOptions)
  static open(): string[] {
    return [];
  }

  @(Source() as (target: object, method: string, descriptor: PropertyDescriptor) => void)
  ofObject(): string[] {
    return [];
  }
}

@Kind({ group: 'apps.example.com', version: 'v1' })
class Daemons extends Sound {
  @Daemon()
  static async onClass(): Promise<void> {
    return undefined;
  }
}

export const classes = [Timers, Sources, Daemons];
