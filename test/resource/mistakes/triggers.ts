import { Every } from '../../../src/resource/decorators/every.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
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

export const classes = [Timers];
