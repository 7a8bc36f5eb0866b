import { Admission, Mutate, Namespace, Pod, Rbac, type Review, Validate } from 'kindwright';

const TEAM = 'docs.example.com/team';

/** Labels each pod with the team of its namespace, for namespaces that have one. */
@Admission(Pod, { namespaceSelector: { matchExpressions: [{ key: TEAM, operator: 'Exists' }] } })
@Rbac(Namespace, 'get')
export class TeamPods {
  @Mutate() async label(pod: Pod, review: Review<Pod>): Promise<void> {
    const namespace = await review.get(Namespace, review.namespace ?? '');
    const team = namespace?.metadata.labels?.[TEAM];
    if (team !== undefined) (pod.metadata.labels ??= {})[TEAM] ??= team;
  }

  @Validate() check(pod: Pod, review: Review<Pod>): void {
    if (pod.metadata.labels?.[TEAM] === undefined) review.invalid(`metadata.labels[${TEAM}]`, 'must name a team');
  }
}
