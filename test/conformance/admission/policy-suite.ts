import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { AdmissionSuite, configMap, type Reply } from '../../e2e/admission/admission-suite.js';

const ADMISSION = '/apis/admissionregistration.k8s.io/v1';
const CONFIG_MAPS = {
  apiGroups: [''],
  apiVersions: ['v1'],
  operations: ['CREATE', 'UPDATE'],
  resources: ['configmaps'],
};

/** About config maps. */
export const RULES = { resourceRules: [CONFIG_MAPS] };

/** A server, and for each test a namespace with policies of its own. */
export class PolicySuite {
  server!: AdmissionSuite;
  namespace = '';
  /** Of the config maps of the test's namespace. */
  path = '';
  private readonly made: string[] = [];
  private count = 0;
  private tries = 0;

  constructor() {
    beforeAll(async () => {
      this.server = await AdmissionSuite.start();
    });
    afterAll(() => this.server.stop());
    beforeEach(async () => {
      this.namespace = await this.server.namespace({ team: 'a' });
      this.path = `/api/v1/namespaces/${this.namespace}/configmaps`;
    });
    afterEach(() => this.removePolicies());
  }

  async removePolicies(): Promise<void> {
    for (const each of this.made.splice(0)) await this.server.must('DELETE', each);
  }

  /** Asks for a policy alone. */
  policy(kind: 'Mutating' | 'Validating', spec: object, name = `policy-${this.count++}`): Promise<Reply> {
    return this.make(kind, '', name, { matchConstraints: RULES, ...spec });
  }

  /** Makes a policy and its binding, for the namespace of the test; resolves to their name. */
  async bound(
    kind: 'Mutating' | 'Validating',
    spec: object,
    binding: Record<string, unknown> = kind === 'Validating' ? { validationActions: ['Deny'] } : {},
  ): Promise<string> {
    const name = `policy-${this.count++}`;
    const { matchResources = {}, ...rest } = binding;
    const inNamespace = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': this.namespace } } };
    const replies = [
      await this.policy(kind, spec, name),
      await this.make(kind, 'Binding', name, {
        policyName: name,
        matchResources: { ...inNamespace, ...(matchResources as object) },
        ...rest,
      }),
    ];
    const refused = replies.find(({ code }) => code !== 201);
    if (refused) throw new Error(JSON.stringify(refused.body));
    return name;
  }

  create(name: string, data: object, metadata: object = {}): Promise<Reply> {
    return this.server.send('POST', this.path, configMap(name, data, metadata));
  }

  /** Makes config maps until the policies are in force. */
  createUntil(isWanted: (reply: Reply) => boolean, data: object = { a: '1' }, metadata = {}): Promise<Reply> {
    return this.server.until(() => this.create(`try-${this.tries++}`, data, metadata), isWanted);
  }

  private async make(kind: string, suffix: string, name: string, spec: object): Promise<Reply> {
    const plural = `${kind.toLowerCase()}admissionpolic${suffix === '' ? 'ies' : 'ybindings'}`;
    const reply = await this.server.send('POST', `${ADMISSION}/${plural}`, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: `${kind}AdmissionPolicy${suffix}`,
      metadata: { name },
      spec,
    });
    if (reply.code === 201) this.made.push(`${ADMISSION}/${plural}/${name}`);
    return reply;
  }
}

export const isRefused = ({ code }: Reply): boolean => code !== 201;
