// What the setting precompress costs: first builds and publishes with it, beside those without, in the same rounds.
import { join } from 'node:path';
import { buildOnce } from './builds.ts';
import { median } from './checks.ts';
import { measureCycle } from './edits.ts';
import { remove } from './processes.ts';
import { readTreeFacts, type TreeFacts } from './tree.ts';

export type PrecompressResult = {
  readonly posts: number;
  /** The setting; empty: none. */
  readonly encodings: string;
  readonly facts: TreeFacts;
  readonly seconds: number;
  /** The largest of all rounds; null where the system does not tell. */
  readonly peakMb: number | null;
  /** Of publishing one post. */
  readonly publishMs: number;
};

const SETTINGS = ['', 'gzip', 'gzip,br'] as const;

type PrecompressInput = {
  readonly posts: number;
  /** The publishing database. */
  readonly database: string;
  readonly folder: string;
  readonly rounds: number;
};

type Round = Pick<PrecompressResult, 'facts' | 'seconds' | 'peakMb' | 'publishMs'>;

export const measurePrecompress = async (input: PrecompressInput): Promise<PrecompressResult[]> => {
  const rounds = new Map<string, Round[]>(SETTINGS.map((encodings) => [encodings, []]));
  for (let round = 1; round <= input.rounds; round += 1) {
    for (const encodings of SETTINGS) {
      const place = join(input.folder, `precompress-${round}-${encodings.replace(',', '-')}`);
      rounds.get(encodings)?.push(await measureRound(input.database, place, encodings));
      await remove(place);
    }
  }
  return SETTINGS.flatMap((encodings) => {
    const measured = rounds.get(encodings) ?? [];
    const [first] = measured;
    if (first === undefined) return [];
    const peaks = measured.flatMap(({ peakMb }) => (peakMb === null ? [] : [peakMb]));
    return {
      posts: input.posts,
      encodings,
      facts: first.facts,
      seconds: median(measured.map(({ seconds }) => seconds)),
      peakMb: peaks.length === 0 ? null : Math.max(...peaks),
      publishMs: median(measured.map(({ publishMs }) => publishMs)),
    };
  });
};

const measureRound = async (database: string, place: string, encodings: string): Promise<Round> => {
  const environment = { PREPRESS_PRECOMPRESS: encodings };
  const { seconds, peakMb } = await buildOnce(database, place, { environment });
  const facts = readTreeFacts(join(place, 'output/content'));
  const publish = await measureCycle(place, { folder: place, scenario: 'publish', environment });
  return { facts, seconds, peakMb, publishMs: publish.milliseconds };
};
