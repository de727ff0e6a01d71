// A real workerd with the bundled worker and a stand-in for the asset server over the built tree.
import { cpSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, type RunningProgram, startProgram } from './program.ts';

export type RunningWorkerd = RunningProgram & { readonly port: number };

const ASSETS = fileURLToPath(new URL('assets-worker.js', import.meta.url));

type WorkerdOptions = {
  readonly folder: string;
  readonly output: string;
  /** Text of the bundled worker. */
  readonly worker: string;
};

export const startWorkerd = async (options: WorkerdOptions): Promise<RunningWorkerd> => {
  const { folder, output, worker } = options;
  const port = await freePort();
  writeFileSync(join(folder, 'worker.js'), worker);
  cpSync(ASSETS, join(folder, 'assets-worker.js'));
  writeFileSync(
    join(folder, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js")],
      compatibilityDate = "2025-06-01",
      bindings = [(name = "ASSETS", service = "assets")])),
    (name = "assets", worker = (
      modules = [(name = "assets.js", esModule = embed "assets-worker.js")],
      compatibilityDate = "2025-06-01",
      bindings = [(name = "DISK", service = "disk")])),
    (name = "disk", disk = (path = ${JSON.stringify(output)}, writable = false)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
);
`,
  );
  const program = await startProgram([workerdPath(), 'serve', join(folder, 'config.capnp')], {
    cwd: folder,
    port,
  });
  return { ...program, port };
};

/** The program itself: its launcher would not pass our signal on. */
const workerdPath = (): string => {
  const require = createRequire(import.meta.url);
  const arch = process.arch === 'arm64' ? 'arm64' : '64';
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const facts = require.resolve(`@cloudflare/workerd-${system}-${arch}/package.json`);
  return join(dirname(facts), 'bin', 'workerd');
};
