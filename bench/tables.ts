// The results as Markdown, ready for README.
import { type BuildResult, largest, peakOf, ratioTo } from './builds.ts';
import { type Check, isMet, median } from './checks.ts';
import type { Cycle } from './cycles.ts';
import { arrivalsAt, END_TO_END_PLACES, type EndToEndResult } from './end-to-end.ts';
import type { FollowResult } from './follows.ts';
import type { FunctionResult } from './functions.ts';
import type { ImportResult } from './imports.ts';
import type { MemoryResult } from './memory.ts';
import type { PackedResult } from './packed.ts';
import { type PagesResult, pagesRatio } from './pages.ts';
import type { PeerResult } from './peers.ts';
import type { PicturesResult } from './pictures.ts';
import { buildRatio, type Pair, type PostgresResult } from './postgres.ts';
import type { PrecompressResult } from './precompress.ts';
import { middleOf, type PublishesResult } from './publishes.ts';
import type { QueryResult } from './queries.ts';
import type { QueryHostResult } from './query-hosts.ts';
import type { ServingRound } from './serving.ts';
import { countPacked } from './tree.ts';

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

const number = (value: number): string => value.toLocaleString('en');
const mb = (bytes: number): string => `${number(Math.round(bytes / 1e6))} MB`;
const peak = (value: number | null): string => (value === null ? '' : `${Math.round(value)} MB`);
const smallMb = (bytes: number): string => `${(bytes / 1e6).toFixed(2)} MB`;
const ratio = (value: number): string => (Number.isNaN(value) ? '' : value.toFixed(2));

const FLOORS = ['tar -xf', 'tar -xf, links kept', 'cp -r', 'two-thread writer'] as const;

export const importsTable = (results: readonly ImportResult[]): string =>
  table(
    ['posts', 'members', 'rows', 'source', 'seconds', 'peak memory', 'progress off by'],
    results.map(({ posts, members, rows, sourceMb, seconds, peakMb, unevenness }) => [
      number(posts),
      number(members),
      number(rows),
      `${Math.round(sourceMb)} MB`,
      seconds.toFixed(1),
      peak(peakMb),
      `${Math.round(unevenness * 100)} %`,
    ]),
  );

export const followsTable = (results: readonly FollowResult[]): string =>
  table(
    [
      'posts',
      'members',
      'rows',
      'ms from call to file',
      'slowest',
      'peak of import',
      'peak of all',
    ],
    results.map(({ posts, members, rows, milliseconds, peaksMb }) => [
      number(posts),
      number(members),
      number(rows),
      String(Math.round(median([...milliseconds]))),
      String(Math.round(Math.max(...milliseconds))),
      peak(peaksMb[0]),
      peak(peaksMb[1]),
    ]),
  );

export const memoryTable = (results: readonly MemoryResult[]): string =>
  table(
    ['posts', 'pages', 'minutes', 'saves', 'deliveries', 'answers', 'median', 'peak'],
    results.map(({ posts, hasPages, minutes, saves, deliveries, answers, medianMb, peakMb }) => [
      number(posts),
      hasPages ? 'yes' : 'no',
      String(minutes),
      ...[saves, deliveries, answers].map(number),
      peak(medianMb),
      peak(peakMb),
    ]),
  );

/** Medians, and the slowest. */
export const endToEndTable = (results: readonly EndToEndResult[]): string =>
  table(
    [
      'edit in',
      'deploys',
      'readers',
      'edits',
      ...END_TO_END_PLACES.map((place) => `ms to ${place}`),
    ],
    results.map((result) => [
      result.source,
      result.hasBucket ? 'to a bucket' : '',
      String(result.readers),
      String(result.arrivals.length),
      ...END_TO_END_PLACES.map((place) => {
        const all = arrivalsAt(result, place);
        if (all.length === 0) return '';
        return `${Math.round(median(all))}; ${Math.round(Math.max(...all))}`;
      }),
    ]),
  );

export const picturesTable = (result: PicturesResult): string => {
  const { pictures, seconds, sharpSeconds, busyMs, idleMs, peakMb } = result;
  const columns = ['pictures', 'seconds', 'sharp alone', 'times', 'ms of a request', 'while idle'];
  return table(
    [...columns, 'peak memory', 'processor ms of a publish', 'without sizes'],
    [
      [
        String(pictures),
        seconds.toFixed(1),
        sharpSeconds.toFixed(1),
        (seconds / sharpSeconds).toFixed(2),
        busyMs.toFixed(1),
        idleMs.toFixed(1),
        peakMb === null ? '' : `${Math.round(peakMb)} MB`,
        result.withMs.toFixed(0),
        result.withoutMs.toFixed(0),
      ],
    ],
  );
};

export const buildsTable = (results: readonly BuildResult[]): string =>
  table(
    [
      'posts',
      '',
      'files (packed)',
      'bytes (links once)',
      'seconds',
      'ms a file',
      'peak memory',
      ...FLOORS.map((name) => `of \`${name}\``),
    ],
    results.flatMap((result) => {
      const { posts, facts } = result;
      return [false, true].flatMap((isWarm) => {
        const rounds = result.rounds.filter((round) => round.isWarm === isWarm);
        if (rounds.length === 0) return [];
        const seconds = median(rounds.map((round) => round.seconds));
        return [
          [
            number(posts),
            isWarm ? 'warm' : 'cold',
            `${number(facts.files.length)} (${number(countPacked(facts))})`,
            `${mb(facts.bytes)} (${mb(facts.storedBytes)})`,
            seconds.toFixed(2),
            ((seconds / facts.files.length) * 1000).toFixed(3),
            peak(peakOf(result)),
            ...FLOORS.map((name) => ratio(ratioTo(result, name, isWarm))),
          ],
        ];
      });
    }),
  );

export const packedTable = ({ posts, first, facts, peaksMb, publishes }: PackedResult): string =>
  table(
    [
      'posts',
      'files',
      'bytes',
      'seconds',
      'processor seconds',
      'peak memory',
      'publish',
      'its processor time',
      'bytes that it writes',
      'peak memory',
    ],
    [
      [
        number(posts),
        number(facts.files.length),
        mb(facts.bytes),
        number(Math.round(first.milliseconds / 1000)),
        number(Math.round(first.processorMilliseconds / 1000)),
        peak(peaksMb[0]),
        `${number(Math.round(middleOf(publishes, ({ milliseconds }) => milliseconds)))} ms`,
        `${middleOf(publishes, ({ processorMilliseconds }) => processorMilliseconds).toFixed(0)} ms`,
        mb(middleOf(publishes, ({ bytes }) => bytes)),
        peak(peaksMb[1]),
      ],
    ],
  );

export const precompressTable = (results: readonly PrecompressResult[]): string =>
  table(
    ['posts', '`precompress`', 'files', 'bytes (links once)', 'seconds', 'peak memory', 'publish'],
    results.map(({ posts, encodings, facts, seconds, peakMb, publishMs }) => [
      number(posts),
      encodings === '' ? 'off' : encodings,
      number(facts.files.length),
      `${mb(facts.bytes)} (${mb(facts.storedBytes)})`,
      seconds.toFixed(2),
      peak(peakMb),
      `${publishMs.toFixed(0)} ms`,
    ]),
  );

export const peersTable = (peers: readonly PeerResult[]): string =>
  table(
    ['', 'all files', 'peak memory', 'one post more', 'answers a second', 'memory of its server'],
    peers.map(({ name, made, answers }) => [
      name,
      made === null ? '' : `${number(made.files)} in ${made.seconds.toFixed(1)} s`,
      peak(made?.peakMb ?? null),
      made === null ? '' : `${made.moreSeconds.toFixed(made.moreSeconds < 1 ? 2 : 1)} s`,
      answers === null ? '' : number(Math.round(answers.perSecond)),
      peak(answers?.residentMb ?? null),
    ]),
  );

export const publishesTable = (results: readonly PublishesResult[]): string =>
  table(
    [
      'settings',
      'of posts',
      'publishes',
      'ms',
      'fastest to slowest',
      'processor ms',
      'packed tree',
      'files',
      'bytes',
      'beside documents',
      'of `cp` and `sync`',
      'nothing to do',
    ],
    results.map(({ posts, settings, publishes, nothingMs, copyMilliseconds }) => {
      const all = publishes.map(({ milliseconds }) => milliseconds);
      const ms = middleOf(publishes, ({ milliseconds }) => milliseconds);
      return [
        settings.name,
        number(posts),
        number(publishes.length),
        ms.toFixed(0),
        `${Math.min(...all).toFixed(0)} to ${Math.max(...all).toFixed(0)}`,
        middleOf(publishes, ({ processorMilliseconds }) => processorMilliseconds).toFixed(0),
        middleOf(publishes, ({ treeMilliseconds }) => treeMilliseconds).toFixed(0),
        number(middleOf(publishes, ({ written }) => written.length)),
        smallMb(middleOf(publishes, ({ bytes }) => bytes)),
        smallMb(middleOf(publishes, ({ bytesBeside }) => bytesBeside)),
        ratio(ms / copyMilliseconds),
        nothingMs.toFixed(0),
      ];
    }),
  );

export const editsTable = (edits: readonly (Cycle & { readonly posts: number })[]): string =>
  table(
    ['edit', 'of posts', 'records', 'files', 'bytes', 'beside documents', 'ms', 'packed tree'],
    edits.map((edit) => [
      edit.scenario,
      number(edit.posts),
      number(edit.records),
      number(edit.written.length + edit.removed.length),
      smallMb(edit.bytes),
      smallMb(edit.bytesBeside),
      edit.milliseconds.toFixed(0),
      edit.treeMilliseconds.toFixed(0),
    ]),
  );

export const pagesTable = (results: readonly PagesResult[]): string =>
  table(
    [
      'posts',
      'pages',
      'bytes',
      'seconds',
      'Eleventy alone',
      'ratio',
      'peak memory',
      'of Eleventy alone',
    ],
    results.map(({ posts, files, bytes, rounds }) => [
      number(posts),
      number(files),
      mb(bytes),
      median(rounds.map(({ ours }) => ours.seconds)).toFixed(2),
      median(rounds.map(({ eleventy }) => eleventy.seconds)).toFixed(2),
      ratio(pagesRatio(rounds)),
      peak(largest(rounds.map(({ ours }) => ours.peakMb))),
      peak(largest(rounds.map(({ eleventy }) => eleventy.peakMb))),
    ]),
  );

export const queriesTable = (results: readonly QueryResult[]): string =>
  table(
    ['query', 'posts', 'bytes', 'processor ms'],
    results.map(({ query, records, bytes, processorMilliseconds }) => [
      `\`${decodeURIComponent(query)}\``,
      number(records),
      number(bytes),
      processorMilliseconds.toFixed(2),
    ]),
  );

export const servingTable = (rounds: readonly ServingRound[]): string =>
  table(
    ['round', 'ours', 'p99', 'nginx', 'p99', 'ratio', 'errors', 'memory'],
    rounds.map(({ ours, nginx, memoryMb }, at) => [
      String(at + 1),
      `${number(Math.round(ours.perSecond))}/s`,
      `${ours.p99Ms.toFixed(1)} ms`,
      `${number(Math.round(nginx.perSecond))}/s`,
      `${nginx.p99Ms.toFixed(1)} ms`,
      ratio(ours.perSecond / nginx.perSecond),
      String(ours.errors),
      memoryMb.map((value) => `${Math.round(value)} MB`).join(' to '),
    ]),
  );

export const queryHostsTable = (results: readonly QueryHostResult[]): string =>
  table(
    ['host', 'query', 'requests', 'processor ms', 'p99', 'errors'],
    results.map(({ host, query, perSecond, processorMs, p99Ms, errors }) => [
      host,
      `\`${query}\``,
      `${number(Math.round(perSecond))}/s`,
      processorMs.toFixed(2),
      `${p99Ms.toFixed(1)} ms`,
      String(errors),
    ]),
  );

const middleMs = (times: readonly number[]): string => median(times).toFixed(0);

/** Of SQLite; of PostgreSQL. */
const both = <T>({ file, postgres }: Pair<T>, shown: (one: T) => string): string =>
  `${shown(file)}; ${shown(postgres)}`;

export const postgresTable = (results: readonly PostgresResult[]): string =>
  table(
    [
      'posts',
      'members',
      'copy',
      'first fill',
      'peak memory',
      "full build, times SQLite's",
      'ms of a save: SQLite; PostgreSQL',
      'ms to its file',
      'ms from a commit to the copy',
      'by asking',
    ],
    results.map(({ posts, members, copyMb, fill, more }) => [
      number(posts),
      number(members),
      `${number(Math.round(copyMb))} MB`,
      `${fill.seconds.toFixed(1)} s`,
      peak(fill.peakMb),
      more === null ? '' : ratio(buildRatio(more.buildSeconds)),
      more === null ? '' : both(more.edits, ({ saved }) => middleMs(saved)),
      more === null ? '' : both(more.edits, ({ shown }) => middleMs(shown)),
      more === null ? '' : middleMs(more.heard),
      more === null ? '' : middleMs(more.polled),
    ]),
  );

export const functionsTable = (functions: readonly FunctionResult[]): string =>
  table(
    ['function', 'microseconds'],
    functions.map(({ name, microseconds }) => [name, microseconds.toFixed(1)]),
  );

export const checksTable = (checks: readonly Check[]): string =>
  table(
    ['check', 'value', 'limit', ''],
    checks.map((check) => [
      check.name,
      String(Math.round(check.value * 100) / 100),
      `${check.isLeast ? 'at least' : 'at most'} ${check.limit}`,
      isMet(check) ? 'met' : 'MISSED',
    ]),
  );
