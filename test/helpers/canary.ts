// Watches a server during a test: none of its secrets may stand in its log, in an error, in the output, in
// a mail or in the clear in the database, and no member's address in its log, an error or the output.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { SqliteConnection } from '../../src/base/sqlite/driver.ts';

type Watched = {
  readonly folder: string;
  readonly output: string;
  readonly shell: SqliteConnection;
  /** Secrets that are known from the start. */
  readonly secrets: readonly string[];
};

export type Canary = {
  /** Takes a line of the log. */
  readonly log: (line: string) => void;
  /** Takes an answer: its text when it is an error, its secrets when it is a success. */
  readonly answer: (response: Response) => Promise<void>;
  readonly check: (watched: Watched) => void;
};

/** Names and bytes of every file of a folder that `isSought` accepts. */
export const bytesIn = (folder: string, isSought: (name: string) => boolean): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isSought(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${path}\n${readFileSync(path, 'latin1')}`)
    .join('\n');

const SECRET_MIN = 12;

export const createCanary = (): Canary => {
  const lines: string[] = [];
  const errors: string[] = [];
  const shown = new Set<string>();
  return {
    log: (line) => void lines.push(line),
    answer: async (response) => {
      const text = await response.text();
      if (!response.ok) errors.push(text);
      else for (const secret of secretsIn(text)) shown.add(secret);
    },
    check: ({ folder, output, shell, secrets }) => {
      const all = [...shown, ...secrets].filter((secret) => secret.length >= SECRET_MIN);
      const addresses = isThere(shell, 'members')
        ? (shell.prepare('SELECT email FROM members').pluck().all() as string[])
        : [];
      const places: [string, string, readonly string[]][] = [
        ['log', lines.join(''), [...all, ...addresses, 'eyJ']],
        ['errors', errors.join('\n'), [...all, ...addresses, 'eyJ']],
        ['output', existsSync(output) ? bytesIn(output, () => true) : '', [...all, ...addresses]],
        ['database', bytesIn(folder, (name) => name.includes('publication')), all],
        ['mails', bytesIn(folder, (name) => name.endsWith('.eml')), all],
      ];
      for (const [place, text, sought] of places) {
        expect([place, sought.filter((one) => text.includes(one))]).toEqual([place, []]);
      }
    },
  };
};

const isThere = (shell: SqliteConnection, table: string): boolean =>
  shell.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) !== undefined;

/** What an answer shows once, or to nobody else: made secrets of webhooks and keys, keys of mailed links. */
const secretsIn = (text: string): string[] =>
  [
    ...text.matchAll(/"(?:secret|standard_secret)":"(whsec_[^"]+)"/g),
    ...text.matchAll(/"key":"[0-9a-f]{24}:([0-9a-f]{64})"/g),
    ...text.matchAll(/\/unsubscribe\/\?[^"]*key=([0-9a-f]+)/g),
  ].map(([, secret = '']) => secret);
