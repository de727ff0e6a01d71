// packaging/nginx.conf in a real nginx: only the folder, the ports and the server behind it are the test's own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startNginx } from './nginx-process.ts';
import { freePort } from './program.ts';

const CONFIGURATION = join(import.meta.dirname, '../../packaging/nginx.conf');

type Options = {
  readonly folder: string;
  /** What stands for /srv/prepress/output. */
  readonly output: string;
  /** The port of the companion server; several servers are asked in turn. */
  readonly companion: number | readonly number[];
};

export type PackagedNginx = {
  /** For readers. */
  readonly port: number;
  /** For the desk. */
  readonly deskPort: number;
  readonly end: () => Promise<void>;
};

export const startPackagedNginx = async ({
  folder,
  output,
  companion,
}: Options): Promise<PackagedNginx> => {
  const [port, deskPort] = [await freePort(), await freePort()];
  const servers = [companion].flat().map((one) => `server 127.0.0.1:${one};`);
  const http = `upstream prepress { ${servers.join(' ')} }\n${readFileSync(CONFIGURATION, 'utf8')
    .replace('listen 8080;', `listen 127.0.0.1:${port};`)
    .replace('listen 8081;', `listen 127.0.0.1:${deskPort};`)
    .replaceAll('http://prepress:4000', 'http://prepress')
    .replace('/srv/prepress/output', output)}`;
  const { end } = await startNginx({ folder, http, server: '' });
  return { port, deskPort, end };
};
