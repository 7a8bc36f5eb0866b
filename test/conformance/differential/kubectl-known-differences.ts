/** Lines of kubectl's replies that differ on the embedded server, and why that is so. */
export interface KnownDifference {
  readonly why: string;
  readonly calls: RegExp;
  /** Which of the lines that differ, of the real server (`-`) or the embedded one (`+`), are accounted for. */
  readonly lines: RegExp;
}

export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    why: 'the fields of an object come in the order they were set in, not in that of their Go structs',
    calls: /^(create|replace) --raw|^get --raw .*pretty=false|^get cm settings -o jsonpath=\{\.data\[/,
    lines: /^[+-] +(map\[string\]interface \{\})?\{"/,
  },
  {
    why: 'another administrator, who comes with a token instead of a certificate',
    calls: /^auth whoami/,
    lines: /^[+-] (Username {2}|Extra: authentication\.kubernetes\.io\/credential-id)/,
  },
  {
    why: 'simulated nodes have the version of the server, those of kwok its own',
    calls: /^get nodes?( node-1)?$/,
    lines: /^[+-] node-\d /,
  },
  {
    why: 'kwok leaves out parts of the status of a pod',
    calls: /^get pods? alone/,
    lines: /^\+ {3}(observedGeneration: 1|resources: \{\}|started: true|hostIPs?:.*|- ip: <ip>)$/,
  },
  {
    why: 'kubectl logs that a watch has failed if its time is over before the watch has started',
    calls: /^wait .*--timeout/,
    lines: /^[+-] <log> reflector\.go "Failed to watch" err="context deadline exceeded"/,
  },
  {
    why: 'nodes of kwok have no addresses',
    calls: /^describe pods -l app=web/,
    lines: /^[+-] Node: {2}/,
  },
  {
    why: 'the embedded cluster has a default class of volumes, as kind has',
    calls: /^get storageclass/,
    lines: /^(- No resources found|\+ (NAME|standard \(default\)) )/,
  },
];
