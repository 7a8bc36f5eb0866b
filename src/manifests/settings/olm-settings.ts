/** Settings of a bundle for the Operator Lifecycle Manager that cannot be derived from classes. */
export interface OlmSettings {
  /** Default: the name of the operator. */
  readonly displayName?: string;
  /** Markdown. Default: the descriptions of the kinds. */
  readonly description?: string;
  readonly provider?: { readonly name: string; readonly url?: string };
  readonly maintainers?: readonly { readonly name: string; readonly email: string }[];
  readonly links?: readonly { readonly name: string; readonly url: string }[];
  readonly keywords?: readonly string[];
  readonly icon?: { readonly mediatype: string; readonly base64data: string };
  /** Categories of OperatorHub, such as `Database`. */
  readonly categories?: readonly string[];
  /** Default `Basic Install`. */
  readonly capabilities?: string;
  /** Default `alpha`. */
  readonly maturity?: string;
  /** The first one is the default. Default `stable`. */
  readonly channels?: readonly string[];
  readonly minKubeVersion?: string;
  /** The bundle that this one upgrades, such as `podset.v0.1.0`. */
  readonly replaces?: string;
}
