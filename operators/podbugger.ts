import { IsOptional, IsString, MinLength } from 'class-validator';
import {
  ApiError,
  Condition,
  CustomResource,
  Field,
  Kind,
  LabelSelector,
  matchesSelector,
  Pod,
  Rbac,
  Sample,
  setCondition,
  Watches,
} from 'kindwright';
import type { CacheReader, Context, ObjectEvent } from 'kindwright';

/** PodBuggerSpec defines the desired state of PodBugger */
class PodBuggerSpec {
  /** Selector names the pods to debug by their labels; an empty one selects every pod of the namespace */
  @Field() selector!: LabelSelector;

  /** Image is the image of the debug container */
  @Field() @IsString() @MinLength(1) image!: string;

  /** Command is run instead of the image's entry point */
  @Field({ items: String }) @IsOptional() command?: string[];

  /** TargetContainer is the container whose processes the debug container sees */
  @Field() @IsString() @IsOptional() targetContainer?: string;
}

/** PodBuggerStatus defines the observed state of PodBugger */
class PodBuggerStatus {
  /** Pods are the names of the pods that carry the debug container */
  @Field({ items: String }) @IsOptional() pods?: string[];

  /** Conditions are the latest observations of the state */
  @Field({ items: Condition, listType: 'map', listMapKeys: ['type'] }) @IsOptional() conditions?: Condition[];
}

/** PodBugger is the Schema for the podbuggers API */
@Kind({ group: 'podbugger.kindwright.dev', version: 'v1alpha1' })
@Watches(Pod, buggersOf, { predicate: labelsOrPhaseChanged })
@Rbac({ groups: [''], resources: ['pods/ephemeralcontainers'] }, 'patch')
@Sample({
  name: 'example',
  spec: { selector: { matchLabels: { app: 'helloApp' } }, image: 'busybox', command: ['sh'] },
})
export class PodBugger extends CustomResource {
  @Field() spec!: PodBuggerSpec;
  @Field() status!: PodBuggerStatus;

  async reconcile(ctx: Context): Promise<void> {
    const pods = await ctx.list(Pod, { selector: this.spec.selector });
    const carriers: string[] = [];
    const problems: string[] = [];
    for (const pod of pods.filter(isRunning)) {
      const present = this.debuggerIn(pod);
      const problem = present ? this.difference(pod, present.image) : await this.attach(ctx, pod);
      if (problem !== undefined) problems.push(problem);
      if (present || problem === undefined) carriers.push(pod.metadata.name);
    }
    this.status.pods = carriers.sort();
    this.status.conditions = setCondition(this.status.conditions, {
      type: 'Ready',
      status: problems.length === 0 ? 'True' : 'False',
      reason: problems.length === 0 ? 'Attached' : 'NotAttached',
      message: problems.length === 0 ? 'every matching running pod carries the debug container' : problems.join('; '),
    });
  }

  private get containerName(): string {
    return `podbugger-${this.metadata.name}`;
  }

  private debuggerIn(pod: Pod) {
    return pod.spec?.ephemeralContainers?.find(({ name }) => name === this.containerName);
  }

  private difference(pod: Pod, image: string | undefined): string | undefined {
    if (image === this.spec.image) return undefined;
    return `pod ${pod.metadata.name}: has image ${image ?? ''}, and an ephemeral container cannot be replaced`;
  }

  /** A refusal cannot be mended by a retry: it becomes the condition, and the next change of pod or spec tries again. */
  private async attach(ctx: Context, pod: Pod): Promise<string | undefined> {
    const { image, command, targetContainer } = this.spec;
    const container = { name: this.containerName, image, command, targetContainerName: targetContainer };
    const patch = { metadata: { uid: pod.metadata.uid }, spec: { ephemeralContainers: [container] } };
    try {
      await ctx.patch(Pod, pod.metadata.name, patch, { type: 'strategic', subresource: 'ephemeralcontainers' });
      ctx.event('Normal', 'Attached', `added container ${this.containerName} to pod ${pod.metadata.name}`);
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500 || error.status === 429) throw error;
      ctx.event('Warning', 'Refused', `pod ${pod.metadata.name}: ${error.message}`);
      return `pod ${pod.metadata.name}: ${error.message}`;
    }
  }
}

function buggersOf(pod: Pod, cache: CacheReader): string[] {
  return cache
    .list(PodBugger, { namespace: pod.metadata.namespace ?? '' })
    .filter(({ spec }) => matchesSelector(spec.selector, pod.metadata.labels))
    .map(({ metadata }) => metadata.name);
}

function labelsOrPhaseChanged(event: ObjectEvent<Pod>): boolean {
  if (event.type !== 'update') return true;
  const watched = ({ metadata, spec, status }: Pod): string =>
    JSON.stringify([metadata.labels, metadata.deletionTimestamp, status?.phase, spec?.ephemeralContainers?.length]);
  return watched(event.old) !== watched(event.object);
}

function isRunning({ metadata, status }: Pod): boolean {
  return metadata.deletionTimestamp === undefined && status?.phase === 'Running';
}
