import { Command } from 'commander';
import { STAND_INS, writeAssets } from '../envtest/write-assets.js';
import type { StandInOptions } from '../envtest/stand-in-kube-apiserver.js';
import { listArgument, portArgument, serverArgument } from './arguments.js';

export function envtestAssetsCommand(): Command {
  return new Command('envtest-assets')
    .description("Writes stand-ins for kube-apiserver and etcd, which controller-runtime's envtest starts.")
    .argument('<folder>', 'where to write them')
    .addHelpText('after', EXAMPLES)
    .action(writeAssets);
}

/** The stand-ins themselves, which take whatever arguments envtest gives. */
export function standInCommands(): Command[] {
  return [
    new Command(STAND_INS['kube-apiserver'])
      .requiredOption('--secure-port <number>', 'port on 127.0.0.1', portArgument)
      .option('--cert-dir <folder>', 'folder of apiserver.crt and apiserver.key, which are made if they are not there')
      .option('--tls-cert-file <file>', 'certificate of the server')
      .option('--tls-private-key-file <file>', 'its key')
      .option('--token-auth-file <file>', 'tokens of users')
      .option('--client-ca-file <file>', 'authority of client certificates')
      .option('--authorization-mode <modes>', 'RBAC, Node and RBAC, or AlwaysAllow', listArgument)
      .option('--enable-admission-plugins <names>', 'some of those there are', listArgument)
      .option('--disable-admission-plugins <names>', 'plugins to leave out', listArgument)
      .action(async (options: StandInOptions, command: Command) => {
        const { standInKubeApiserver } = await import('../envtest/stand-in-kube-apiserver.js');
        await standInKubeApiserver(options, command.args);
      }),
    new Command(STAND_INS.etcd)
      .requiredOption('--listen-client-urls <url>', 'where to answer that all is well', serverArgument)
      .action(async ({ listenClientUrls }: { listenClientUrls: string }) => {
        const { standInEtcd } = await import('../envtest/stand-in-etcd.js');
        await standInEtcd(new URL(listenClientUrls));
      }),
  ].map((command) => command.allowUnknownOption().allowExcessArguments());
}

const EXAMPLES = `
Examples:
  eval "$(kindwright envtest-assets .envtest)"
  go test ./...

The server is the embedded one without controllers; it keeps its objects in memory.`;
