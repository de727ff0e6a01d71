// The parts that make publications of their own, each in a folder of its own: of them the present program alone is measured.
import { join } from 'node:path';
import { postgresReason } from '../test/matrix/start-postgres.ts';
import type { Check } from './checks.ts';
import { checkEndToEnd, measureEndToEnd } from './end-to-end.ts';
import { checkFollows, measureFollow } from './follows.ts';
import { MEMBERS_PER_POST } from './ghost-source.ts';
import { checkImports, measureImport } from './imports.ts';
import { checkMemory, type MemoryResult, measureMemory } from './memory.ts';
import { measurePacked } from './packed.ts';
import { checkPictures, measurePictures } from './pictures.ts';
import { checkPostgres, measurePostgres } from './postgres.ts';
import { hasProgram } from './processes.ts';
import * as tables from './tables.ts';

type Place = {
  readonly folder: string;
  readonly rounds: number;
  readonly pictures: number;
  readonly packedPosts: number;
  readonly edits: number;
  /** Absent where none were asked for. */
  readonly sizes: readonly number[] | undefined;
};
type Measured = { readonly text: string; readonly checks: readonly Check[] };

const POSTS = 10_000;
const MEMORY_MINUTES = 4;

const measureImports = async ({ folder, rounds }: Place): Promise<Measured> => {
  const of = (posts: number) => measureImport(join(folder, `import-${posts}`), posts, rounds);
  const [small, large] = [await of(POSTS / 10), await of(POSTS)];
  const text = `\nImports of Ghost's SQLite file:\n\n${tables.importsTable([small, large])}`;
  return { text, checks: checkImports(small, large) };
};

const measureFollows = async ({ folder }: Place): Promise<Measured> => {
  const of = (members: number) => measureFollow(join(folder, `follow-${members}`), POSTS, members);
  const results = [await of(0), await of(MEMBERS_PER_POST)];
  const text = `\nEdits in Ghost's SQLite file, followed:\n\n${tables.followsTable(results)}`;
  return { text, checks: checkFollows(results) };
};

const measureServers = async ({ folder }: Place): Promise<Measured> => {
  const results: MemoryResult[] = [];
  for (const hasPages of [false, true]) {
    const place = join(folder, `memory-${hasPages}`);
    results.push(await measureMemory({ folder: place, minutes: MEMORY_MINUTES, hasPages }));
  }
  const text = `\nResident memory of a server under load:\n\n${tables.memoryTable(results)}`;
  return { text, checks: checkMemory(results) };
};

const measureWays = async ({ folder, edits }: Place): Promise<Measured | null> => {
  if (!(await hasProgram('nginx'))) return null;
  const results = await measureEndToEnd(join(folder, 'end-to-end'), edits);
  const title = 'From an edit to its readers, medians and slowest in ms';
  return {
    text: `\n${title}:\n\n${tables.endToEndTable(results)}`,
    checks: checkEndToEnd(results),
  };
};

const measureSizes = async ({ folder, pictures }: Place): Promise<Measured> => {
  const result = await measurePictures(join(folder, 'pictures'), pictures);
  const text = `\nPictures of 2,400 x 1,600 pixels in four widths:\n\n${tables.picturesTable(result)}`;
  return { text, checks: checkPictures(result) };
};

const measureMany = async ({ folder, packedPosts }: Place): Promise<Measured> => {
  const result = await measurePacked(join(folder, 'packed'), packedPosts);
  const title = 'The packed tree and first pages alone';
  return { text: `\n${title}:\n\n${tables.packedTable(result)}`, checks: [] };
};

const measureServersOfMany = async ({ folder, rounds, sizes }: Place): Promise<Measured | null> => {
  if (postgresReason() !== null) return null;
  const results = await measurePostgres(join(folder, 'postgres'), rounds, sizes);
  const title = 'In PostgreSQL, beside a file of SQLite';
  return {
    text: `\n${title}:\n\n${tables.postgresTable(results)}`,
    checks: checkPostgres(results),
  };
};

/** By the name of the part. Null: a program is not installed. */
export const OWN_PARTS: Readonly<Record<string, (place: Place) => Promise<Measured | null>>> = {
  imports: measureImports,
  follows: measureFollows,
  memory: measureServers,
  pictures: measureSizes,
  'end-to-end': measureWays,
  postgres: measureServersOfMany,
  packed: measureMany,
};
