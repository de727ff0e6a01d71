// Which files edits touch, which is looked at apart from their time: looking at a whole tree takes memory and time of the
// process that would be measured.
import type { BuildResult } from './builds.ts';
import { atMost } from './checks.ts';
import { measureEdits } from './edits.ts';
import { checkCarried } from './publishes.ts';
import { touchedNeedlessly } from './touched.ts';
import type { EditsOf } from './wide-edits.ts';

/** Publishes of which the middle one tells what is carried. */
const PUBLISHES = 3;

/** Which files edits touch, and what a deploy carries of them; no time is taken. */
export const checkTouched = async (
  build: BuildResult,
  folder: string,
  wide: readonly string[],
): Promise<EditsOf> => {
  const { posts, built: place } = build;
  const publishes = new Array<string>(PUBLISHES).fill('publish');
  const scenarios = ['nothing', ...publishes, ...wide];
  const { cycles: edits } = await measureEdits({ place, folder, scenarios, isCompared: true });
  const checks = [...new Set(scenarios)].map((scenario) => {
    const needless = edits
      .filter((cycle) => cycle.scenario === scenario)
      .flatMap(touchedNeedlessly);
    const name = `${scenario}: files it may not touch, ${posts} posts`;
    return atMost('files', name, [needless.length, 0]);
  });
  const published = edits.filter(({ scenario }) => scenario === 'publish');
  return { edits, checks: [...checks, checkCarried(published, posts, { name: 'defaults' })] };
};
