/** A call of kubectl whose replies differ on the embedded server, and why that is so. */
export interface KnownDifference {
  readonly why: string;
  readonly calls: RegExp;
}

export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  { why: 'another administrator, who comes with a token instead of a certificate', calls: /^auth whoami/ },
  { why: 'simulated nodes have the version of the server, those of kwok its own', calls: /^get nodes?( node-1)?$/ },
  { why: 'the real server writes down the cleanup finalizer a moment after Established', calls: /^get crd .* yaml$/ },
  { why: 'the endpoints of OpenID are not served', calls: /^auth can-i --list --as=system:serviceaccount/ },
  {
    why: 'a typo in a patch is refused with the words of a body that is not a patch',
    calls: /^(apply -f - <.*(replcas|colour)|patch configmap others -p {"data":3})/,
  },
  {
    why: 'kwok and the simulated nodes fill in other parts of the status of a pod',
    calls: /^((get|describe) pods?|wait .*pod)( alone|\/alone)/,
  },
  { why: 'pods and jobs end at their own pace', calls: /^(get job hello|get pods --as)/ },
  {
    why: 'the comparison runs embedded pods without a service account, and kwok gives its nodes no addresses',
    calls: /^describe pods -l app=web/,
  },
  {
    why: 'server-side apply leaves the annotation of client-side apply as it is',
    calls: /^get gadget one -o yaml/,
  },
];
