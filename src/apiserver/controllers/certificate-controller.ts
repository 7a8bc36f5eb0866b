import { ownMember } from '../../base/own-member.js';
import type { KeyObject } from 'node:crypto';
import { parseCertificateRequest, type CertificateRequest } from '../certificates/certificate-request.js';
import { signRequest } from '../certificates/sign-request.js';
import { KUBELET_CLIENT, SIGNERS } from '../certificates/signer-rules.js';
import {
  type ApiObject,
  type JsonObject,
  arrayAt,
  eachObject,
  numberAt,
  objectAt,
  stringAt,
} from '../objects/api-object.js';
import type { ClusterClient } from './cluster-client.js';
import { OwnerLoop } from './owner-loop.js';

const GROUP = 'certificates.k8s.io';
const [LONGEST_MS, SHORTEST_MS] = [365 * 24 * 3600_000, 600_000];

/** Signs approved certificate requests as the built-in signers do, and approves those of permitted kubelets. */
export class CertificateController {
  private readonly loop: OwnerLoop;
  private readonly requests;

  constructor(
    private readonly client: ClusterClient,
    /** Key of the certificate authority that signs the client certificates accepted by the API server. */
    private readonly key: KeyObject,
  ) {
    this.requests = client.resource(`${GROUP}/v1`, 'certificatesigningrequests');
    this.loop = new OwnerLoop(client, this.requests, [], (request) => this.reconcile(request));
  }

  stop(): void {
    this.loop.stop();
  }

  private reconcile(object: ApiObject): void {
    const { spec, status } = object;
    const rule = ownMember(SIGNERS, stringAt(spec, 'signerName'));
    const types = eachObject(objectAt({ status }, 'status').conditions).map(({ type }) => type);
    const isOver = types.includes('Denied') || types.includes('Failed') || stringAt(status, 'certificate') !== '';
    if (!rule || isOver) return;
    const request = parseCertificateRequest(Buffer.from(stringAt(spec, 'request'), 'base64').toString());
    const usages = arrayAt(spec, 'usages') as string[];
    const problem = rule(request, usages);
    if (!types.includes('Approved')) this.approve(object, request, problem);
    else if (problem === undefined) this.sign(object, request, usages);
    else this.addCondition(object, 'status', { type: 'Failed', reason: 'SignerValidationFailure', message: problem });
  }

  private approve(object: ApiObject, { commonName }: CertificateRequest, problem: string | undefined): void {
    const { spec } = object;
    if (problem !== undefined || stringAt(spec, 'signerName') !== KUBELET_CLIENT) return;
    const user = { name: stringAt(spec, 'username'), groups: arrayAt(spec, 'groups') as string[] };
    const may = (subresource: string): boolean =>
      this.client.api.isAllowed(user, {
        verb: 'create',
        group: GROUP,
        resource: `certificatesigningrequests/${subresource}`,
        namespace: '',
        name: '',
      });
    const isSelf = user.name === commonName && may('selfnodeclient');
    if (!isSelf && !may('nodeclient')) return;
    const message = `Auto approving ${isSelf ? 'self ' : ''}kubelet client certificate after SubjectAccessReview.`;
    this.addCondition(object, 'approval', { type: 'Approved', reason: 'AutoApproved', message });
  }

  private sign(object: ApiObject, request: CertificateRequest, usages: readonly string[]): void {
    const seconds = numberAt(object.spec, 'expirationSeconds');
    const lifetimeMs = seconds === undefined ? LONGEST_MS : Math.min(LONGEST_MS, Math.max(SHORTEST_MS, seconds * 1000));
    const pem = signRequest(request, usages, { key: this.key, nowMs: this.client.clock.now(), lifetimeMs });
    this.client.update(
      this.requests,
      object,
      (old) => ({ ...old, status: { ...objectAt(old, 'status'), certificate: Buffer.from(pem).toString('base64') } }),
      'status',
    );
  }

  private addCondition(object: ApiObject, subresource: 'approval' | 'status', condition: JsonObject): void {
    this.client.update(
      this.requests,
      object,
      (old) => {
        const status = objectAt(old, 'status');
        const conditions = [...eachObject(status.conditions), { ...condition, status: 'True' }];
        return { ...old, status: { ...status, conditions } };
      },
      subresource,
    );
  }
}
