// A real workerd with the bundled worker and a stand-in for the asset server over the built tree.
import { cpSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './program.ts';
import { type RunningProgram, startProgram } from './start-program.ts';

export type RunningWorkerd = RunningProgram & { readonly port: number };

/** Beside the worker itself. */
const STAND_INS = ['assets-worker.js', 'cache-worker.js', 'limited-worker.js'];

type WorkerdOptions = {
  readonly folder: string;
  readonly output: string;
  /** Text of the bundled worker. */
  readonly worker: string;
  /** Requests to the assets that one request may make; absent: any number. */
  readonly requestsMax?: number;
};

export const startWorkerd = async (options: WorkerdOptions): Promise<RunningWorkerd> => {
  const { folder, output, worker, requestsMax } = options;
  const port = await freePort();
  writeFileSync(join(folder, 'worker.js'), worker);
  for (const name of STAND_INS) {
    cpSync(fileURLToPath(new URL(name, import.meta.url)), join(folder, name));
  }
  const modules = [
    ...(requestsMax === undefined
      ? []
      : ['(name = "limited.js", esModule = embed "limited-worker.js")']),
    '(name = "worker.js", esModule = embed "worker.js")',
  ];
  writeFileSync(
    join(folder, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [${modules.join(', ')}],
      compatibilityDate = "2025-06-01",
      cacheApiOutbound = "cache",
      bindings = [
        (name = "ASSETS", service = "assets"),
        (name = "REQUESTS_MAX", text = "${requestsMax ?? ''}")])),
    (name = "assets", worker = (
      modules = [(name = "assets.js", esModule = embed "assets-worker.js")],
      compatibilityDate = "2025-06-01",
      bindings = [(name = "DISK", service = "disk")])),
    (name = "cache", worker = (
      modules = [(name = "cache.js", esModule = embed "cache-worker.js")],
      compatibilityDate = "2025-06-01")),
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
