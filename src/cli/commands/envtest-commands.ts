import { Command } from 'commander';
import { STUB_COMMANDS, writeAssets } from '../envtest/write-assets.js';
import type { KubeApiserverStubOptions } from '../envtest/kube-apiserver-stub.js';
import { listArgument, portArgument, serverArgument } from './arguments.js';

export function envtestAssetsCommand(): Command {
  return new Command('envtest-assets')
    .description("Writes stubs of kube-apiserver and etcd that controller-runtime's envtest starts.")
    .argument('<folder>', 'output folder')
    .addHelpText('after', EXAMPLES)
    .action(writeAssets);
}

/** The commands that the stubs run; they accept any arguments of envtest. */
export function envtestStubCommands(): Command[] {
  return [
    new Command(STUB_COMMANDS['kube-apiserver'])
      .requiredOption('--secure-port <number>', 'port on 127.0.0.1', portArgument)
      .option('--cert-dir <folder>', 'folder of apiserver.crt and apiserver.key, which are created if missing')
      .option('--tls-cert-file <file>', 'certificate of the server')
      .option('--tls-private-key-file <file>', 'private key of the server')
      .option('--token-auth-file <file>', 'tokens of users')
      .option('--client-ca-file <file>', 'certificate authority of client certificates')
      .option('--authorization-mode <modes>', 'RBAC, Node and RBAC, or AlwaysAllow', listArgument)
      .option(
        '--enable-admission-plugins <names>',
        'plugins to enable; all supported ones are by default',
        listArgument,
      )
      .option('--disable-admission-plugins <names>', 'plugins to disable', listArgument)
      .action(async (options: KubeApiserverStubOptions, command: Command) => {
        const { runKubeApiserverStub } = await import('../envtest/kube-apiserver-stub.js');
        await runKubeApiserverStub(options, command.args);
      }),
    new Command(STUB_COMMANDS.etcd)
      .requiredOption('--listen-client-urls <url>', 'address of the health check', serverArgument)
      .action(async ({ listenClientUrls }: { listenClientUrls: string }) => {
        const { runEtcdStub } = await import('../envtest/etcd-stub.js');
        await runEtcdStub(new URL(listenClientUrls));
      }),
  ].map((command) => command.allowUnknownOption().allowExcessArguments());
}

const EXAMPLES = `
Examples:
  eval "$(kindwright envtest-assets .envtest)"
  go test ./...

The API server is the embedded one without controllers; it stores objects in memory.`;
