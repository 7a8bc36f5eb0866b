import { MessageTable } from '../schema/message-table.js';

/** The messages of aggregated discovery: k8s.io/api/apidiscovery/v2/generated.proto. */
export const discoveryMessages = new MessageTable({
  APIGroupDiscoveryList: 'metadata=1:ListMeta items=2:APIGroupDiscovery[]',
  ListMeta: 'selfLink=1 resourceVersion=2',
  APIGroupDiscovery: 'metadata=1:ObjectMeta versions=2:APIVersionDiscovery[]',
  ObjectMeta: 'name=1',
  APIVersionDiscovery: 'version=1 resources=2:APIResourceDiscovery[] freshness=3',
  APIResourceDiscovery:
    'resource=1 responseKind=2:GroupVersionKind scope=3 singularResource=4 verbs=5:string[] shortNames=6:string[] categories=7:string[] subresources=8:APISubresourceDiscovery[]',
  APISubresourceDiscovery:
    'subresource=1 responseKind=2:GroupVersionKind acceptedTypes=3:GroupVersionKind[] verbs=4:string[]',
  GroupVersionKind: 'group=1 version=2 kind=3',
});
