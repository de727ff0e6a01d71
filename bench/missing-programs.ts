// What the bench leaves out because a program is not installed, and the command that installs it.
import { existsSync } from 'node:fs';
import { hasProgram } from './processes.ts';
import { NJS_MODULE } from './query-hosts.ts';

type Needed = {
  readonly parts: readonly string[];
  /** The name of a command, or the path of a file. */
  readonly program: string;
  readonly without: string;
  readonly package: string;
};

const NEEDED: readonly Needed[] = [
  {
    parts: ['serving', 'query-hosts'],
    program: 'wrk',
    without: 'serving and query-hosts are not measured',
    package: 'wrk',
  },
  {
    parts: ['serving', 'query-hosts', 'end-to-end'],
    program: 'nginx',
    without: 'serving and end-to-end are not measured, nor queries through nginx',
    package: 'nginx',
  },
  {
    parts: ['query-hosts'],
    program: NJS_MODULE,
    without: 'queries by nginx with njs are not measured',
    package: 'libnginx-mod-http-js',
  },
  {
    parts: ['end-to-end'],
    program: 'mariadbd',
    without: 'edits in a Ghost with MariaDB are not measured',
    package: 'mariadb-server',
  },
  {
    parts: ['postgres'],
    program: '/usr/lib/postgresql',
    without: 'publications in PostgreSQL are not measured',
    package: 'postgresql',
  },
  {
    parts: ['peers'],
    program: 'hugo',
    without: 'Hugo is not among the peers',
    package: 'hugo',
  },
];

/** A line for each that is missing and that these parts need. */
export const findMissing = async (parts: ReadonlySet<string>): Promise<string[]> => {
  const lines: string[] = [];
  for (const { program, without, ...needed } of NEEDED) {
    if (!needed.parts.some((part) => parts.has(part))) continue;
    const isThere = program.startsWith('/') ? existsSync(program) : await hasProgram(program);
    if (isThere) continue;
    lines.push(
      `${program} is not installed: ${without}. Install it: apt-get install ${needed.package}`,
    );
  }
  return lines;
};
