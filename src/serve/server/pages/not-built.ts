// What is answered while no build was ever placed: that this will change, and how far the build is. A 404 could be
// taken for the truth.
import { type Problem, UNAVAILABLE } from '../problems/problems.ts';
import type { BuildProgress } from '../server-deps.ts';
import type { MessagePage } from './message-page.ts';

const RETRY_AFTER_S = 5;
const REFRESH_S = 2;

/** For the content interface. `progress` as of the port; null: the first build has failed. */
export const notBuilt = (progress: BuildProgress | null): Problem => ({
  ...UNAVAILABLE,
  message: `${stateOf(progress)}. Please try again.`,
  context: progress === null ? SEE_LOG : countOf(progress),
  headers: { 'retry-after': String(RETRY_AFTER_S) },
});

/** For people, with the status and the header of the problem above. */
export const notBuiltMessage = (progress: BuildProgress | null): MessagePage => ({
  title: stateOf(progress),
  text: `${progress === null ? SEE_LOG : (countOf(progress) ?? '')} This page reloads by itself.`.trim(),
  refreshSeconds: REFRESH_S,
});

const SEE_LOG = 'The log of the server says why.';

const stateOf = (progress: BuildProgress | null): string =>
  progress === null ? 'No build has succeeded yet' : 'The first build is under way';

const countOf = ({ records, total }: BuildProgress): string | null =>
  total === 0
    ? null
    : `${records.toLocaleString('en')} of ${total.toLocaleString('en')} records are done.`;
