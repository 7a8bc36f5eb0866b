import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import {
  AdmissionSuite,
  configMap,
  WebhookServer,
  type Handler,
  type Reply,
} from '../../e2e/admission/admission-suite.js';

const ADMISSION = '/apis/admissionregistration.k8s.io/v1';
const CONFIG_MAPS = { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] };

/** A server, and for each test a namespace with webhooks of its own. */
export class WebhookSuite {
  server!: AdmissionSuite;
  namespace = '';
  /** Of the config maps of the test's namespace. */
  path = '';
  /** Paths of the configurations of the test. */
  readonly configured: string[] = [];
  private readonly started: WebhookServer[] = [];
  private count = 0;

  constructor() {
    beforeAll(async () => {
      this.server = await AdmissionSuite.start();
    });
    afterAll(() => this.server.stop());
    beforeEach(async () => {
      this.namespace = await this.server.namespace({ team: 'a' });
      this.path = `/api/v1/namespaces/${this.namespace}/configmaps`;
    });
    afterEach(async () => {
      for (const configuration of this.configured.splice(0)) await this.server.must('DELETE', configuration);
      for (const server of this.started.splice(0)) server.stop();
    });
  }

  async serve(answer: Handler): Promise<WebhookServer> {
    const server = await WebhookServer.start(answer);
    this.started.push(server);
    return server;
  }

  /** Configures webhooks for the namespace of the test. */
  async configure(kind: 'Mutating' | 'Validating', ...webhooks: object[]): Promise<void> {
    const name = `config-${(this.count++).toString().padStart(3, '0')}`;
    const plural = `${ADMISSION}/${kind.toLowerCase()}webhookconfigurations`;
    await this.server.must('POST', plural, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: `${kind}WebhookConfiguration`,
      metadata: { name },
      webhooks: webhooks.map((webhook, index) => ({
        name: `hook${index}.example.com`,
        rules: [CONFIG_MAPS],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': this.namespace } },
        ...webhook,
      })),
    });
    this.configured.push(`${plural}/${name}`);
  }

  create(object: object, query = ''): Promise<Reply> {
    return this.server.send('POST', `${this.path}${query}`, object);
  }

  /** Creates ConfigMaps until a response meets the condition. */
  createUntil(isWanted: (reply: Reply) => boolean, metadata: object = {}, query = ''): Promise<Reply> {
    const send = (): Promise<Reply> => this.create(configMap(`try-${this.count++}`, { a: '1' }, metadata), query);
    return this.server.until(send, isWanted);
  }
}
