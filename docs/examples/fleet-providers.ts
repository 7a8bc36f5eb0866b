import { clusterApiClusters, clusterProfiles } from 'kindwright';

/** The workload clusters that Cluster API has created for the Cluster objects of this namespace. */
export const WorkloadClusters = clusterApiClusters({ namespaces: ['fleet-system'] });

/** The clusters of the inventory, with tokens of a program in the image of the operator. */
export const InventoryClusters = clusterProfiles({
  namespaces: ['fleet-inventory'],
  providers: [
    {
      name: 'secretreader',
      execConfig: {
        apiVersion: 'client.authentication.k8s.io/v1',
        command: '/opt/plugins/secretreader-plugin',
        provideClusterInfo: true,
      },
    },
  ],
});
