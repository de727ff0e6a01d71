// Promises about deploys: each test must fail on a source that breaks its promise.
import { type Row, tryRows } from './sabotaged-tests.ts';

const TEST = 'test/matrix/deploy-s3.test.ts';
const BRING_UP = 'test/unit/deploy/bring-up.test.ts';
const LOOP = 'test/unit/deploy/deploys.test.ts';
const target = 'src/deploy/s3/target.ts';
const bringUp = 'src/deploy/bring-up.ts';
const stage = 'src/deploy/stage-output.ts';
const deploys = 'src/deploy/deploys.ts';

const ROWS: readonly Row[] = [
  [
    'a command does not outlive a program that is killed',
    'test/unit/deploy/start-command.test.ts',
    { file: 'src/deploy/exec/start-command.ts', replace: 'kill 0;', by: ':;' },
    'when this program is gone',
  ],
  [
    'a bucket is listed to its end',
    TEST,
    { file: target, replace: 'token = page.NextContinuationToken;', by: 'token = undefined;' },
    'of more than 1,000 objects',
  ],
  [
    'a target gets one build, not parts of two',
    BRING_UP,
    {
      file: stage,
      replace: 'readFileSync(temporary)',
      by: 'readFileSync(join(source.output, path))',
    },
    'a build meanwhile is not mixed in',
  ],
  [
    'the state of a target moves when all of it is there',
    BRING_UP,
    {
      file: bringUp,
      replace: '  await carry({ target,',
      by: `  writeTargetState(file, { ...begun, generation, entry });
  await carry({ target,`,
    },
    'a run that breaks off at any step',
  ],
  [
    'what came while a target was compared is carried, too',
    BRING_UP,
    {
      file: stage,
      replace: 'base.entry === null ? [] : rest.since(base.entry)',
      by: 'base.entry === null || base.differing !== null ? [] : rest.since(base.entry)',
    },
    'a build that comes while the target is compared',
  ],
  [
    'a gap in what is known of builds is noticed',
    BRING_UP,
    {
      file: 'src/deploy/journal.ts',
      replace: 'wanted = earlier?.id === wanted.before ? earlier : null;',
      by: 'wanted = earlier ?? { ...wanted, id };',
    },
    'a list of changes that was lost',
  ],
  [
    'what is missing in the output does not go from the target',
    BRING_UP,
    { file: stage, replace: 'if (isCarried(path) && rest.has(path)) throw missing(path);', by: '' },
    'a file that the build has',
  ],
  [
    'a failed deploy is tried again',
    LOOP,
    {
      file: deploys,
      replace: '      this.#isAsked = true;\n      this.#tryAt',
      by: '      this.#tryAt',
    },
    'what fails is tried again',
  ],
  [
    'a build is waited for at every target',
    LOOP,
    { file: deploys, replace: 'left.every(isDown)', by: 'left.length < targets.length' },
    'a build is waited for',
  ],
  [
    'a target that is down for long is not waited for',
    LOOP,
    { file: deploys, replace: 'now - since >= waitMs', by: 'now < 0' },
    'a build is waited for',
  ],
  [
    'a number beyond the newest build is not believed',
    LOOP,
    { file: deploys, replace: ' && there <= (manifest?.generation() ?? 0)', by: '' },
    'a number of a publication',
  ],
];

tryRows(ROWS);
