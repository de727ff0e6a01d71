// How many connections and answers there may be: what the settings say, or less where the process may open
// only few files. Each connection is one file, each answer of content at most one more.
import { readFileSync } from 'node:fs';
import type { Config } from '../../../settings/settings.ts';

export type ResponseLimits = {
  readonly connectionsMax: number;
  readonly connectionsPerAddressMax: number;
  readonly answersMax: number;
  readonly answersPerAddressMax: number;
  readonly answerBytesMax: number;
};

/** Files for everything else: the databases, threads of builds, deliveries, logs. */
const OWN_FILES = 128;
/** Files for connections and answers, even where the limit is lower. */
const SHARED_FILES_MIN = 48;
/** The usual limit, for systems without /proc. */
const OPEN_FILES_DEFAULT = 1_024;
const MEGABYTE = 1024 * 1024;
const OPEN_FILES = 'Max open files';

type Settings = Pick<
  Config,
  | 'connectionsMax'
  | 'connectionsPerAddressMax'
  | 'answersMax'
  | 'answersPerAddressMax'
  | 'answerMegabytesMax'
>;

export const responseLimits = (
  settings: Settings,
  openFilesMax = findOpenFilesMax() ?? OPEN_FILES_DEFAULT,
): ResponseLimits => {
  const { connectionsMax, answersMax, answerMegabytesMax } = settings;
  const { connectionsPerAddressMax, answersPerAddressMax } = settings;
  const shared = Math.max(SHARED_FILES_MIN, openFilesMax - OWN_FILES);
  return {
    connectionsMax: Math.min(connectionsMax, Math.floor((shared * 2) / 3)),
    answersMax: Math.min(answersMax, Math.floor(shared / 3)),
    ...{ connectionsPerAddressMax, answersPerAddressMax },
    answerBytesMax: answerMegabytesMax * MEGABYTE,
  };
};

/** Null on systems without /proc. */
const findOpenFilesMax = (): number | null => {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8').split('\n');
    const line = limits.find((text) => text.startsWith(OPEN_FILES)) ?? '';
    const soft = Number.parseInt(line.slice(OPEN_FILES.length), 10);
    return Number.isNaN(soft) ? null : soft;
  } catch {
    return null;
  }
};
