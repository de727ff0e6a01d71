// Promises of the desk. Each test must fail in a browser that gets a desk which breaks its promise.
import { describe } from 'vitest';
import { missing } from '../matrix/program.ts';
import { type Row, tryRows } from './sabotaged-tests.ts';

const WORK = 'test/end-to-end/desk-work.long.test.ts';
const WRITING = 'test/end-to-end/desk-writing.long.test.ts';
const ELSEWHERE = 'test/end-to-end/desk-elsewhere.long.test.ts';
const KEY = 'the key stays in the tab';
const STATE = 'the state follows by itself';
const CHANGED = 'another program built';
const MEMBERS = 'members are found';
const HOOKS = 'webhooks are tried';
const SAVING = 'what is not saved is asked about';
const LACKING = 'without renderers';
const TARGETS = 'each target of a deploy';
const FOLLOWED = 'a source is followed';

const ROWS: readonly Row[] = [
  [
    'the key goes with the tab',
    WORK,
    {
      file: 'src/desk/session.ts',
      replace: 'sessionStorage.setItem(NAME',
      by: 'localStorage.setItem(NAME',
    },
    KEY,
  ],
  [
    'the key is never sent',
    WORK,
    {
      file: 'src/desk/api.ts',
      replace: "accept: 'application/json',",
      by: "accept: 'application/json', 'x-key': key.secret,",
    },
    KEY,
  ],
  [
    'the state is loaded again and again',
    WORK,
    { file: 'src/desk/ui/hooks.ts', replace: 'if (!document.hidden) reload();', by: '' },
    STATE,
  ],
  [
    'a server that is gone is told in a sentence',
    WORK,
    {
      file: 'src/desk/api.ts',
      replace: "throw new Failure('The server does not answer. Is it running?', 0);",
      by: "throw new Failure('fetch failed', 0);",
    },
    STATE,
  ],
  [
    'a first build shows how far it is',
    WORK,
    {
      file: 'src/desk/views/publisher.tsx',
      replace: '{progress !== null && (',
      by: '{progress === undefined && (',
    },
    STATE,
  ],
  [
    'the export has what the list shows',
    WORK,
    {
      file: 'src/desk/views/member-files.tsx',
      replace: "{ filter, search, limit: 'all' }",
      by: "{ limit: 'all' }",
    },
    MEMBERS,
  ],
  [
    'lines that are not taken are named',
    WORK,
    {
      file: 'src/desk/views/member-import.tsx',
      replace: 'line === undefined ? error :',
      by: 'line !== null ? error :',
    },
    MEMBERS,
  ],
  [
    'nothing of a file is sent before somebody agreed',
    WORK,
    {
      file: 'src/desk/views/member-import.tsx',
      replace: 'setChosen({ file, lines });',
      by: 'upload({ file, lines });',
    },
    MEMBERS,
  ],
  [
    'the lines of a file are counted before it is sent',
    WORK,
    {
      file: 'src/desk/csv-lines.ts',
      replace: '(isLineEmpty ? 0 : 1) - 1',
      by: '(isLineEmpty ? 0 : 1)',
    },
    MEMBERS,
  ],
  [
    'a change that another program built is the last one',
    WORK,
    {
      file: 'src/desk/views/publisher.tsx',
      replace: '{lastChange !== null && <Change',
      by: '{state.changedFiles !== null && lastChange !== null && <Change',
    },
    CHANGED,
  ],
  [
    'a save says that it runs',
    WORK,
    {
      file: 'src/desk/views/post.tsx',
      replace: '{doing !== null && <span',
      by: '{doing === undefined && <span',
    },
    SAVING,
  ],
  [
    'members are filtered by their labels',
    WORK,
    { file: 'src/desk/views/members.tsx', replace: 'label && `label:', by: 'null && `label:' },
    MEMBERS,
  ],
  [
    'a delivery is sent again',
    WORK,
    { file: 'src/desk/views/deliveries.tsx', replace: '/redeliver/`', by: '/`' },
    HOOKS,
  ],
  [
    'a key that is made is shown',
    WORK,
    {
      file: 'src/desk/views/keys.tsx',
      replace: 'if (made !== undefined) onMade(made);',
      by: 'if (made === undefined) onMade(made);',
    },
    HOOKS,
  ],
  [
    'what adopted queries cost is shown',
    WORK,
    { file: 'src/desk/views/queries.tsx', replace: 'setAdopted(answer);', by: '' },
    HOOKS,
  ],
  [
    'changes that are not saved are asked about before a view is left',
    WORK,
    {
      file: 'src/desk/route.ts',
      replace: 'if (mayLeave()) setRoute',
      by: 'if (mayLeave() || oldURL) setRoute',
    },
    SAVING,
  ],
  [
    'a save sends what was changed and nothing else',
    WORK,
    {
      file: 'src/desk/views/post-draft.ts',
      replace: 'changedNames(before, draft).filter',
      by: '(Object.keys(draft) as (keyof Draft)[]).filter',
    },
    SAVING,
  ],
  [
    'a server without renderers is sent no document',
    WORK,
    {
      file: 'src/desk/views/post-body.tsx',
      replace: 'useState(installCommand !== null)',
      by: 'useState(false)',
    },
    LACKING,
  ],
  [
    'a target says why it has nothing',
    WORK,
    {
      file: 'src/desk/views/targets.tsx',
      replace: 'lastError !== null && <div',
      by: 'lastError === null && <div',
    },
    TARGETS,
  ],
  [
    'a save that is refused while a source is followed says why',
    WORK,
    {
      file: 'src/desk/api.ts',
      replace: 'status === 409 && message && context',
      by: 'status === 408 && message && context',
    },
    FOLLOWED,
  ],
  [
    'what is typed while a save runs stays',
    'test/unit/desk/draft.test.ts',
    {
      file: 'src/desk/ui/draft.ts',
      replace: 'return { ...stored, ...Object.fromEntries(typed) };',
      by: 'return typed.length < 0 ? now : stored;',
    },
  ],
  [
    'a picture that arrives late changes no other field',
    WRITING,
    {
      file: 'src/desk/ui/draft.ts',
      replace: 'draft: { ...now.draft, ...changes }',
      by: 'draft: { ...draft, ...changes }',
    },
    'a save waits for a picture',
  ],
  [
    'a post that was changed elsewhere can be saved over',
    WRITING,
    {
      file: 'src/desk/views/post-form.ts',
      replace: '!isCollision(error)',
      by: 'isCollision(error)',
    },
    'a post that was changed elsewhere',
  ],
  [
    'a changed date of a scheduled post is saved with the rest',
    'test/unit/desk/post-draft.test.ts',
    {
      file: 'src/desk/views/post-draft.ts',
      replace: "post?.status === 'scheduled',",
      by: "post?.status === 'sent',",
    },
  ],
  [
    'a key that is revoked leaves what was written',
    WRITING,
    {
      file: 'src/desk/app.tsx',
      replace: 'setSession({ key, isRefused: true });',
      by: 'setSession({ key: null, isRefused: true });',
    },
    'a key that is revoked',
  ],
  [
    'a name with a comma stays one',
    'test/unit/desk/name-list.test.ts',
    { file: 'src/desk/name-list.ts', replace: "sign === ',' && !isQuoted", by: "sign === ','" },
  ],
  [
    'a filter takes any text as its value',
    'test/unit/desk/words.test.ts',
    { file: 'src/desk/ui/words.ts', replace: 'text.slice(0, end)', by: 'text' },
  ],
  [
    'a newsletter follows what is changed elsewhere',
    WRITING,
    {
      file: 'src/desk/views/newsletter-form.tsx',
      replace: '[JSON.stringify(draftOf(newsletter))]',
      by: '[]',
    },
    'a newsletter gets only what was typed',
  ],
  [
    'a new newsletter takes nothing that would be lost',
    WRITING,
    {
      file: 'src/desk/views/newsletter-form.tsx',
      replace: 'disabled={newsletter === null && action.isBusy}',
      by: 'disabled={false}',
    },
    'nothing can be typed into a new newsletter',
  ],
  [
    'a save waits for a picture that is on its way',
    WRITING,
    {
      file: 'src/desk/views/post.tsx',
      replace: 'action.isBusy || isUploading',
      by: 'action.isBusy',
    },
    'a save waits for a picture',
  ],
  [
    'the address for a new post leads to none that was made there',
    WRITING,
    { file: 'src/desk/route.ts', replace: 'isSame ? visit : visit + 1', by: 'visit' },
    'the address for a new post',
  ],
  [
    'tags of one name stay apart',
    'test/unit/desk/post-draft.test.ts',
    { file: 'src/desk/views/post-draft.ts', replace: 'known.splice(at, 1)', by: '[]' },
    'several of one name',
  ],
  [
    'leaving while a picture is on its way asks',
    WRITING,
    {
      file: 'src/desk/views/post-form.ts',
      replace: 'useUnsaved(isChanged || isUploading)',
      by: 'useUnsaved(isChanged)',
    },
    'pasted into the text',
  ],
  [
    'labels that a member was given elsewhere stay',
    ELSEWHERE,
    {
      file: 'src/desk/views/member.tsx',
      replace: 'mergeLists({ before, draft, newest })',
      by: '{ ...newest, ...draft }',
    },
    'labels that a member',
  ],
  [
    'a post is not published for nobody',
    ELSEWHERE,
    {
      file: 'src/desk/views/post-draft.ts',
      replace: "status !== 'draft' && visibility === 'tiers'",
      by: "status === 'sent' && visibility === 'tiers'",
    },
    'a post for some tiers',
  ],
  [
    'a picture that is dropped while another is uploaded is kept',
    WRITING,
    {
      file: 'src/desk/views/post-fields.tsx',
      replace: 'action.runNext(async',
      by: 'action.run(async',
    },
    'a save waits for a picture',
  ],
  [
    'a save that ends after its form was left names no other',
    WRITING,
    {
      file: 'src/desk/route.ts',
      replace: 'isShown.current && location',
      by: 'location',
    },
    'saved after its form was left',
  ],
  [
    'a member that was deleted elsewhere is told',
    ELSEWHERE,
    {
      file: 'src/desk/views/member.tsx',
      replace: 'member === null ? error : saveFailure(error)',
      by: 'error',
    },
    'a deleted member is told',
  ],
  [
    'a cleared date counts as not saved',
    ELSEWHERE,
    {
      file: 'src/desk/views/post-form.ts',
      replace: ' || isDateless(edited)',
      by: '',
    },
    'whose date is cleared',
  ],
  [
    'a scheduled post is not saved without its date',
    'test/unit/desk/post-draft.test.ts',
    {
      file: 'src/desk/views/post-draft.ts',
      replace: "status === 'scheduled' && isDateless(edited)",
      by: "status === 'sent' && isDateless(edited)",
    },
    'not saved without a date',
  ],
  [
    'tags that stand already are sent by their id',
    'test/unit/desk/post-draft.test.ts',
    {
      file: 'src/desk/views/post-draft.ts',
      replace: '{ id: tag.id }',
      by: '{ name }',
    },
    'sent by their id',
  ],
  [
    'the tiers that were chosen are sent',
    'test/unit/desk/post-draft.test.ts',
    {
      file: 'src/desk/views/post-draft.ts',
      replace: '? { tiers: tiers.map((id) => ({ id })) } : {}',
      by: '? {} : {}',
    },
    'sent with the tiers',
  ],
  [
    'a members CSV is refused by its own name',
    WORK,
    {
      file: 'src/desk/views/member-import.tsx',
      replace: '.replace(UPLOADED, file.name)',
      by: '',
    },
    'a file that holds no members',
  ],
  [
    'lists of a member that were not changed are not sent',
    'test/unit/desk/member-draft.test.ts',
    {
      file: 'src/desk/views/member-draft.ts',
      replace: "changed.includes('labels') && ",
      by: '',
    },
    'are not sent',
  ],
];

const reason = missing('chromium', 'apt-get install chromium');

describe.skipIf(reason !== null)(`the desk ${reason ?? ''}`, () => tryRows(ROWS));
