import { MinLength } from 'class-validator';
import {
  ApiError,
  CustomResource,
  Field,
  Kind,
  PrintColumn,
  Rbac,
  Sample,
  Watches,
  Condition,
  Context,
  isPodActive,
  isRejectedRequest,
  LabelSelector,
  matchesSelector,
  partOf,
  Pod,
  setReady,
  type CacheReader,
  type ObjectOf,
  type ReadonlyDeep,
  type Result,
} from 'kindwright';

const BuggedPod = partOf(Pod, { fields: ['spec.ephemeralContainers', 'status.phase'] });
type BuggedPod = ReadonlyDeep<ObjectOf<typeof BuggedPod>>;

/** PodBuggerSpec defines the desired state of PodBugger */
class PodBuggerSpec {
  /** Selector names the pods to debug by their labels; an empty one selects every pod of the namespace */
  @Field() selector!: LabelSelector;

  /** Image is the image of the debug container */
  @Field() @MinLength(1) image!: string;

  /** Command is run instead of the image's entry point */ @Field({ items: String }) command?: string[];

  /** TargetContainer is the container whose processes the debug container sees */ @Field() targetContainer?: string;
}

/** PodBuggerStatus defines the observed state of PodBugger */
class PodBuggerStatus {
  /** Pods are the names of the pods that carry the debug container */
  @Field({ items: String }) pods?: string[];

  /** Conditions are the latest observations of the state */
  @Field() conditions?: Condition[];
}

/** PodBugger is the Schema for the podbuggers API */
@Kind({ group: 'podbugger.kindwright.dev', version: 'v1alpha1' })
@Watches(BuggedPod, buggersOf)
@Rbac(Pod, 'patch', { subresource: 'ephemeralcontainers' })
@PrintColumn({ name: 'Image', type: 'string', jsonPath: '.spec.image' })
@PrintColumn({ name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' })
@PrintColumn({ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' })
@Sample({ name: 'example', spec: { selector: { matchLabels: { app: 'helloApp' } }, image: 'busybox' } })
export class PodBugger extends CustomResource {
  @Field() spec!: PodBuggerSpec;
  @Field() status!: PodBuggerStatus;

  async reconcile(ctx: Context): Promise<Result> {
    const pods = await ctx.list(BuggedPod, { labelSelector: this.spec.selector });
    const running = pods.filter((pod) => isPodActive(pod) && pod.status?.phase === 'Running');
    const carriers: string[] = [];
    const problems: string[] = [];
    for (const pod of running) {
      const present = pod.spec?.ephemeralContainers?.find(({ name }) => name === this.containerName);
      const problem = present ? this.difference(pod, present.image) : await this.attach(ctx, pod);
      if (problem !== undefined) problems.push(problem);
      if (present || problem === undefined) carriers.push(pod.metadata.name);
    }
    this.status.pods = carriers.sort();
    if (problems.length === 0) setReady(this.status, true, 'Attached', 'all matching running pods have the container');
    else setReady(this.status, false, 'NotAttached', problems.join('; '));
    return carriers.length < running.length ? { requeueAfter: '30s' } : {};
  }

  private get containerName(): string {
    return `podbugger-${this.metadata.name}`;
  }

  private difference(pod: BuggedPod, image: string | undefined): string | undefined {
    if (image === this.spec.image) return undefined;
    return `pod ${pod.metadata.name}: has image ${image ?? ''}, and an ephemeral container cannot be replaced`;
  }

  /** Returns the reason of a refusal: it becomes the condition. Other pods get their container nevertheless. */
  private async attach(ctx: Context, pod: BuggedPod): Promise<string | undefined> {
    const { image, command, targetContainer } = this.spec;
    const container = { name: this.containerName, image, command, targetContainerName: targetContainer };
    const patch = { metadata: { uid: pod.metadata.uid }, spec: { ephemeralContainers: [container] } };
    try {
      await ctx.patch(BuggedPod, pod.metadata.name, patch, { type: 'strategic', subresource: 'ephemeralcontainers' });
      ctx.event('Normal', 'Attached', `added container ${this.containerName} to pod ${pod.metadata.name}`);
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError) || !isRejectedRequest(error)) throw error;
      ctx.event('Warning', 'Refused', `pod ${pod.metadata.name}: ${error.message}`);
      return `pod ${pod.metadata.name}: ${error.message}`;
    }
  }
}

function buggersOf(pod: BuggedPod, cache: CacheReader): string[] {
  return cache
    .list(PodBugger, { namespace: pod.metadata.namespace ?? '' })
    .filter(({ spec }) => matchesSelector(spec.selector, pod.metadata.labels))
    .map(({ metadata }) => metadata.name);
}
