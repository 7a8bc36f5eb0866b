import { deepClone } from '../../base/deep-clone.js';
import type { ApiObject } from '../objects/api-object.js';
import type { Admission, AdmissionAttributes } from '../registry/admission.js';
import type { AdmissionPlugin, MutationRound, RemoteAdmissionPlugin } from './admission-plugin.js';

type Plugin = AdmissionPlugin | RemoteAdmissionPlugin;

/** Runs the plugins in order: the mutating ones first, later the validating ones. */
export class AdmissionChain implements Admission {
  constructor(private readonly plugins: readonly Plugin[]) {}

  mutate(request: AdmissionAttributes): ApiObject {
    const { calls } = request;
    const isRemote = this.plugins.some((plugin) => 'mutateRemotely' in plugin && plugin.concerns(request));
    if (!calls || !isRemote) return this.mutateAtOnce(request);
    return deepClone(calls.result('mutate', () => this.mutateRemotely(request)));
  }

  validate(request: AdmissionAttributes): void {
    const { calls } = request;
    const isRemote = this.plugins.some((plugin) => 'validateRemotely' in plugin && plugin.concerns(request));
    if (calls && isRemote) calls.result('validate', () => this.validateRemotely(request));
    else for (const plugin of this.plugins) if (!('concerns' in plugin)) plugin.validate?.(request);
  }

  private mutateAtOnce(request: AdmissionAttributes): ApiObject {
    const pass = (given: ApiObject, round: MutationRound): ApiObject => {
      let object = given;
      for (const plugin of this.plugins) {
        if (!('concerns' in plugin) && plugin.mutate) object = plugin.mutate({ ...request, object }, round);
      }
      return object;
    };
    const round = new Round();
    const object = pass(request.object, round);
    return round.beginsSecond() ? pass(object, round) : object;
  }

  private async mutateRemotely(request: AdmissionAttributes): Promise<ApiObject> {
    const round = new Round();
    const object = await this.pass(request, deepClone(request.object), round);
    return round.beginsSecond() ? this.pass(request, object, round) : object;
  }

  private async pass(request: AdmissionAttributes, given: ApiObject, round: MutationRound): Promise<ApiObject> {
    let object = given;
    for (const plugin of this.plugins) {
      const step = { ...request, object };
      if (!('concerns' in plugin)) object = plugin.mutate?.(step, round) ?? object;
      else if (plugin.mutateRemotely && plugin.concerns(step)) object = await plugin.mutateRemotely(step, round);
    }
    return object;
  }

  private async validateRemotely(given: AdmissionAttributes): Promise<void> {
    const request = { ...given, object: deepClone(given.object) };
    for (const plugin of this.plugins) {
      if (!('concerns' in plugin)) plugin.validate?.(request);
      else if (plugin.validateRemotely && plugin.concerns(request)) await plugin.validateRemotely(request);
    }
  }
}

class Round implements MutationRound {
  isSecond = false;
  private wantsSecond = false;
  private readonly memories = new Map<string, unknown>();

  memory<T>(plugin: string, make: () => T): T {
    if (!this.memories.has(plugin)) this.memories.set(plugin, make());
    return this.memories.get(plugin) as T;
  }

  requestSecond(): void {
    this.wantsSecond = true;
  }

  beginsSecond(): boolean {
    this.isSecond = this.wantsSecond;
    return this.isSecond;
  }
}
