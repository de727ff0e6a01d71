// Requests a second of the companion server and of nginx, with the rules that Prepress writes for it, on the
// same tree in the same round: wrk, two threads, 32 connections, a thousand addresses in turn.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepress } from './builds.ts';
import { end, startServer } from './live-server.ts';
import { findFreePort, findPeakMb, hasProgram, run } from './processes.ts';
import { listIds } from './start-readers.ts';

export type ServingRound = {
  readonly ours: Load;
  readonly nginx: Load;
  /** Resident memory of the companion server before and after the load, in MB. */
  readonly memoryMb: readonly [number, number];
};

export type Load = { readonly perSecond: number; readonly p99Ms: number; readonly errors: number };

const SECONDS = 6;
const ADDRESSES = 1_000;

/** Null when wrk or nginx is not installed. */
export const measureServing = async (
  built: string,
  folder: string,
  rounds: number,
): Promise<ServingRound[] | null> => {
  if (!(await hasProgram('wrk')) || !(await hasProgram('nginx'))) return null;
  mkdirSync(folder, { recursive: true });
  const ours = await startServer(built);
  const nginx = await startNginx(built, folder);
  try {
    const ids = listIds(built);
    const key = `/?key=${ours.contentKey}`;
    const loadOurs = createLoad(folder, { name: 'ours', ids, path: ['/content/posts/', key] });
    const loadNginx = createLoad(folder, { name: 'nginx', ids, path: ['/content/posts/', '/'] });
    await loadOurs(ours.url);
    const results: ServingRound[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const before = findPeakMb(ours.child.pid) ?? Number.NaN;
      const own = await loadOurs(ours.url);
      const after = findPeakMb(ours.child.pid) ?? Number.NaN;
      const theirs = await loadNginx(nginx.url);
      results.push({ ours: own, nginx: theirs, memoryMb: [before, after] });
    }
    return results;
  } finally {
    await end(ours.child);
    await end(nginx.child);
  }
};

/** Where nginx puts what it holds for a while. */
export const nginxFolders = (folder: string): string =>
  ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ');

type Nginx = { readonly child: ChildProcess; readonly url: string };

/** The tree of a publication by the rules that Prepress writes. `folder`: for what nginx writes. */
export const startNginx = async (built: string, folder: string): Promise<Nginx> => {
  mkdirSync(folder, { recursive: true });
  await prepress(built, ['hosts', 'write', 'nginx', '--to', folder]);
  return start(folder, {
    http: `include ${folder}/prepress.nginx-http.conf;`,
    server: `include ${folder}/prepress.nginx.conf;`,
  });
};

/** A cache that keeps what the server at `url` answers. */
export const startNginxCache = (url: string, folder: string): Promise<Nginx> => {
  mkdirSync(folder, { recursive: true });
  return start(folder, {
    http: `proxy_cache_path ${folder}/kept keys_zone=kept:10m;`,
    server: `location / {
      proxy_pass ${url};
      proxy_cache kept; proxy_cache_valid 200 1h; proxy_ignore_headers Cache-Control Vary;
    }`,
  });
};

type Parts = { readonly http: string; readonly server: string };

const start = async (folder: string, { http, server }: Parts): Promise<Nginx> => {
  const port = await findFreePort();
  const config = join(folder, 'nginx.conf');
  writeFileSync(
    config,
    `daemon off; worker_processes auto; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;
     events { worker_connections 1024; }
     http {
       access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;
       types { application/json json; }
       ${nginxFolders(folder)}
       ${http}
       server { listen 127.0.0.1:${port}; ${server} }
     }`,
  );
  const child = spawn('nginx', ['-c', config, '-e', `${folder}/nginx.log`], { stdio: 'ignore' });
  await sleep(500);
  return { child, url: `http://127.0.0.1:${port}` };
};

type LoadInput = {
  readonly name: string;
  readonly ids: readonly string[];
  /** Before and after the id of a post. */
  readonly path: readonly [before: string, after: string];
};

/** `folder`: for what wrk reads. The load that it returns takes some seconds. */
export const createLoad = (
  folder: string,
  { name, ids, path: [before, after] }: LoadInput,
): ((url: string) => Promise<Load>) => {
  const script = join(folder, `${name}.lua`);
  const step = Math.max(1, Math.floor(ids.length / ADDRESSES));
  const paths = ids
    .filter((_, at) => at % step === 0)
    .slice(0, ADDRESSES)
    .map((id) => `"${before}${id}${after}"`);
  writeFileSync(
    script,
    `local paths = {${paths.join(',')}}
     local at = 0
     request = function() at = at % #paths + 1; return wrk.format("GET", paths[at]) end
     done = function(summary, latency)
       local e = summary.errors
       io.write(string.format("RESULT %f %f %d\\n", summary.requests / summary.duration * 1e6,
         latency:percentile(99) / 1000, e.status + e.connect + e.read + e.write + e.timeout))
     end`,
  );
  return async (url: string): Promise<Load> => {
    // Slow answers are no errors.
    const args = ['-t2', '-c32', `-d${SECONDS}s`, '--timeout', '30s', '-s', script, url];
    const { stdout } = await run('wrk', args);
    const [, perSecond, p99Ms, errors] = /RESULT (\S+) (\S+) (\S+)/.exec(stdout) ?? [];
    return { perSecond: Number(perSecond), p99Ms: Number(p99Ms), errors: Number(errors) };
  };
};
