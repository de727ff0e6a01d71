// Requests a second, and processor time of one, of queries on the hosts that answer them: the companion server, nginx that
// passes them on to it, workerd with the worker for Cloudflare, and nginx with njs, one process each. Each of the first three
// asks for another page or tag, so that none is answered from what was kept; the last is one query, asked again and again.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepress } from './builds.ts';
import { end, startServer } from './live-server.ts';
import { hasProgram, run } from './processes.ts';
import { nginxFolders } from './serving.ts';

export type QueryHostResult = {
  readonly host: string;
  readonly query: string;
  readonly perSecond: number;
  readonly p99Ms: number;
  /** Of all that one request costs the host. */
  readonly processorMs: number;
  readonly errors: number;
};

/** As Lua writes the query of request `n`. */
const QUERIES: readonly (readonly [name: string, lua: string])[] = [
  ['15 posts, tags and authors', '"limit=15&include=tags,authors&page=" .. (n % 600 + 1)'],
  ['15 posts of a tag', '"limit=15&include=tags&filter=tag:tag-" .. (n % 500)'],
  [
    'slugs and titles of 30 to 100',
    '"fields=slug,title&limit=" .. (n % 70 + 30) .. "&page=" .. (n % 90 + 1)',
  ],
  ['the same again', '"limit=5&include=tags&filter=featured:true"'],
];

const SECONDS = 5;
const WARM_SECONDS = 2;
const NGINX_PORT = 4181;
const WORKERD_PORT = 4182;
/** Of the clock in which Linux counts processor time. */
const TICK_MS = 10;

type Running = {
  readonly host: string;
  readonly child: ChildProcess;
  readonly url: string;
  readonly key: string;
  /** The server that it passes requests on to. */
  readonly behind?: ChildProcess;
};

/** Null when wrk is not installed; hosts that are not installed are left out. */
export const measureQueryHosts = async (
  built: string,
  folder: string,
): Promise<QueryHostResult[] | null> => {
  if (!(await hasProgram('wrk'))) return null;
  mkdirSync(folder, { recursive: true });
  const results: QueryHostResult[] = [];
  for (const start of [startCompanion, startPassing, startWorkerd, startNjs]) {
    const running = await start(built, folder);
    if (running === null) continue;
    try {
      for (const query of QUERIES) results.push(await measure(running, query, folder));
    } finally {
      await end(running.child);
      if (running.behind !== undefined) await end(running.behind);
    }
  }
  return results;
};

const measure = async (
  { host, child, url, key }: Running,
  [query, lua]: (typeof QUERIES)[number],
  folder: string,
): Promise<QueryHostResult> => {
  const script = join(folder, 'query.lua');
  writeFileSync(
    script,
    `local n = 0
     request = function() n = n + 1; return wrk.format("GET", "/content/posts/?" .. ${lua} .. "&key=${key}") end
     done = function(summary, latency)
       local e = summary.errors
       io.write(string.format("RESULT %d %f %f %d\\n", summary.requests, summary.requests / summary.duration * 1e6,
         latency:percentile(99) / 1000, e.status + e.connect + e.read + e.write + e.timeout))
     end`,
  );
  const load = (seconds: number) =>
    run('wrk', ['-t1', '-c16', `-d${seconds}s`, '-s', script, url]).then(({ stdout }) => stdout);
  await load(WARM_SECONDS);
  const before = processorMs(child.pid);
  const [, requests, perSecond, p99Ms, errors] =
    /RESULT (\S+) (\S+) (\S+) (\S+)/.exec(await load(SECONDS)) ?? [];
  return {
    host,
    query,
    perSecond: Number(perSecond),
    p99Ms: Number(p99Ms),
    processorMs: (processorMs(child.pid) - before) / Number(requests),
    errors: Number(errors),
  };
};

/** All that a process has used. */
const processorMs = (pid: number | undefined): number => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // Behind the name, which may hold spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
};

const startCompanion = async (built: string): Promise<Running> => {
  const { contentKey: key, ...started } = await startServer(built);
  return { host: 'companion server', ...started, key };
};

const startPassing = async (built: string, parent: string): Promise<Running | null> => {
  if (!(await hasProgram('nginx'))) return null;
  const folder = join(parent, 'passing');
  mkdirSync(folder);
  const { child: behind, url, contentKey: key } = await startServer(built);
  await prepress(built, ['hosts', 'write', 'nginx', '--to', folder], {
    ...process.env,
    PREPRESS_OTHER_QUERIES: url,
  });
  const rules = join(folder, 'prepress.nginx-http.conf');
  writeFileSync(rules, readFileSync(rules, 'utf8').replaceAll('/var/cache/', `${folder}/cache-`));
  const child = await startNginx(folder, '');
  return { host: 'nginx before it', child, url: `http://127.0.0.1:${NGINX_PORT}`, key, behind };
};

export const NJS_MODULE = '/usr/lib/nginx/modules/ngx_http_js_module.so';

const startNjs = async (built: string, parent: string): Promise<Running | null> => {
  if (!(await hasProgram('nginx')) || !existsSync(NJS_MODULE)) return null;
  const folder = join(parent, 'njs');
  mkdirSync(folder);
  await prepress(built, ['hosts', 'write', 'nginx', '--njs', '--to', folder]);
  const child = await startNginx(folder, `load_module ${NJS_MODULE};`);
  return { host: 'nginx with njs', child, url: `http://127.0.0.1:${NGINX_PORT}`, key: '' };
};

const startNginx = async (folder: string, modules: string): Promise<ChildProcess> => {
  const config = join(folder, 'nginx.conf');
  writeFileSync(
    config,
    `${modules}
     daemon off; master_process off; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;
     events { worker_connections 1024; }
     http {
       access_log off; keepalive_requests 1000000; types { application/json json; }
       ${nginxFolders(folder)}
       include ${folder}/prepress.nginx-http.conf;
       server { listen 127.0.0.1:${NGINX_PORT}; include ${folder}/prepress.nginx.conf; }
     }`,
  );
  const child = spawn('nginx', ['-c', config, '-e', `${folder}/nginx.log`], { stdio: 'ignore' });
  await sleep(500);
  return child;
};

/** The asset server's part: the file of an address. */
const ASSETS = `export default {
  fetch: (request, env) => env.DISK.fetch('http://disk' + new URL(request.url).pathname),
};`;

const startWorkerd = async (built: string, parent: string): Promise<Running | null> => {
  const program = findWorkerd();
  if (program === null) return null;
  const folder = join(parent, 'workerd');
  mkdirSync(folder);
  await prepress(built, ['hosts', 'write', 'cloudflare', '--to', folder]);
  writeFileSync(join(folder, 'assets.js'), ASSETS);
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
      modules = [(name = "assets.js", esModule = embed "assets.js")],
      compatibilityDate = "2025-06-01",
      bindings = [(name = "DISK", service = "disk")])),
    (name = "disk", disk = (path = ${JSON.stringify(join(built, 'output'))}, writable = false)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${WORKERD_PORT}", http = (), service = "main")]
);
`,
  );
  const child = spawn(program, ['serve', join(folder, 'config.capnp')], { stdio: 'ignore' });
  await sleep(1_000);
  return { host: 'workerd', child, url: `http://127.0.0.1:${WORKERD_PORT}`, key: '' };
};

const findWorkerd = (): string | null => {
  const require = createRequire(join(process.cwd(), 'package.json'));
  const arch = process.arch === 'arm64' ? 'arm64' : '64';
  try {
    const facts = require.resolve(`@cloudflare/workerd-${process.platform}-${arch}/package.json`);
    return join(dirname(facts), 'bin', 'workerd');
  } catch {
    return null;
  }
};
