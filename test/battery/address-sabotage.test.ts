// Promises about sites that are read through their address, members CSVs and pictures that are fetched: each test must
// fail on a source that breaks its promise.
import { type Row, tryRows } from './sabotaged-tests.ts';

const state = 'src/sources/ghost-address/state.ts';
const client = 'src/sources/ghost-address/content-client.ts';
const rows = 'src/sources/ghost-address/record-rows.ts';
const texts = 'src/sources/ghost-address/stored-text.ts';
const knownBody = 'src/importers/known-body.ts';
const fetchFiles = 'src/importers/fetch-files.ts';
const openFile = 'src/net/open-file.ts';
const named = 'src/importers/named-files.ts';
const csvFile = 'src/importers/members-csv-file.ts';
const csv = 'src/importers/members-csv.ts';
const writer = 'src/importers/member-writer.ts';

const SITE = 'test/unit/sources/ghost-address.test.ts';
const FAULTS = 'test/unit/sources/ghost-address-faults.test.ts';
const FETCH = 'test/unit/importers/fetch-files.test.ts';
const MEMBERS = 'test/unit/importers/members-csv.test.ts';

const ROWS: readonly Row[] = [
  [
    'a list that changes while it is read is read again',
    FAULTS,
    {
      file: state,
      replace: '|| skeleton.hash === earlier) return skeleton;',
      by: '|| skeleton.hash !== earlier) return skeleton;',
    },
  ],
  [
    'bodies and skeleton belong to one state',
    FAULTS,
    {
      file: state,
      replace: 'const isSettled = fresh.hash === skeleton.hash;',
      by: 'const isSettled = true; if (isSettled) return;',
    },
    'is read again',
  ],
  [
    'an answer that is too large is asked for in parts',
    FAULTS,
    { file: state, replace: 'size = Math.ceil(size / 2);', by: 'throw error;' },
    'for its size',
  ],
  [
    'a pause is waited for',
    FAULTS,
    { file: client, replace: 'const delayMs = afterMs ??', by: 'const delayMs =' },
    'asks for a pause',
  ],
  [
    'waiting has an end',
    FAULTS,
    { file: client, replace: '|| delayMs > DELAY_MS_MAX', by: '' },
    'again and again',
  ],
  [
    'the key follows no redirect',
    FAULTS,
    {
      file: 'src/sources/ghost-address/client-faults.ts',
      replace: 'if (status >= 300 && status < 400) {',
      by: 'if (status < 400) { await fetch(answer.header("location") ?? "");',
    },
    'redirects elsewhere',
  ],
  [
    'addresses of the site become placeholders',
    SITE,
    {
      file: texts,
      replace: 'stored += text.slice(copied, at) + PLACEHOLDER;',
      by: 'stored += text.slice(copied, end);',
    },
    'stored as placeholders',
  ],
  [
    'links lose what tagging adds',
    SITE,
    { file: texts, replace: 'tag(untagged) === shown', by: 'tag(untagged) !== shown' },
    'stored as placeholders',
  ],
  [
    'what is behind the paywall stays',
    SITE,
    {
      file: knownBody,
      replace: 'if (marker !== -1) return shown + stored.slice(marker);',
      by: 'if (marker !== -1) return shown;',
    },
    'behind the paywall',
  ],
  [
    'a body of which nothing is shown stays',
    SITE,
    {
      file: knownBody,
      replace: 'if (looksSame(seen.html, shown) && !isNewlyCut) {',
      by: 'if (shown !== "" && looksSame(seen.html, shown)) {',
    },
    'keeps what is not shown',
  ],
  [
    'a body that was cut is known to be',
    SITE,
    {
      file: 'src/sources/ghost-address/answers.ts',
      replace: "&& !('plaintext' in one)",
      by: '',
    },
    'known to be cut',
  ],
  [
    'a block that is new in a known body is noticed',
    SITE,
    { file: knownBody, replace: "seen.state === 'whole';", by: 'false;' },
    'known to be cut',
  ],
  [
    'columns for new rows leave others alone',
    SITE,
    {
      file: 'src/importers/row-hints.ts',
      replace: 'fields !== undefined && facts',
      by: 'fields === undefined && facts',
    },
    'keeps what is not shown',
  ],
  [
    'a withheld body has no paywall',
    SITE,
    {
      file: rows,
      replace: 'return hasPaywall ? shown + PAYWALL : WITHHELD;',
      by: 'return shown + PAYWALL;',
    },
    'gives the same documents',
  ],
  [
    'a post that is shown no more is out of sight',
    SITE,
    {
      file: 'src/importers/apply-difference.ts',
      replace: "values: { status: 'draft' }",
      by: "values: { status: 'published' }",
    },
    'is followed',
  ],
  [
    'a private host is refused after a redirect, too',
    FETCH,
    {
      file: openFile,
      replace: 'const vetted = await vetTarget(url.href',
      by: 'const vetted = await vetTarget(first.href',
    },
  ],
  [
    'a private host is refused',
    FETCH,
    { file: openFile, replace: 'if (!vetted.isAllowed)', by: 'if (!vetted.isAllowed && hop > 0)' },
    'a private host',
  ],
  [
    'a file that stands is not fetched again',
    FETCH,
    { file: fetchFiles, replace: "if (found?.isFile()) return 'unchanged';", by: '' },
    'not fetched again',
  ],
  [
    'the limit of all bytes holds',
    FETCH,
    { file: fetchFiles, replace: 'if (all.left < 0) throw new BeyondAll();', by: '' },
    'limits hold',
  ],
  [
    'the limit of one file holds',
    FETCH,
    {
      file: 'src/net/http-client.ts',
      replace: 'if (bytes > bytesMax) throw tooLarge(bytesMax);',
      by: '',
    },
    'limits hold',
  ],
  [
    'a page is no picture',
    FETCH,
    { file: fetchFiles, replace: 'return !isPage ||', by: 'return isPage || !isPage ||' },
    'a page in place',
  ],
  [
    'nothing of an earlier run is left',
    FETCH,
    { file: fetchFiles, replace: 'if (name.startsWith(DOWNLOADS))', by: 'if (name === DOWNLOADS)' },
    'broke off',
  ],
  [
    'no name leads out of the media folder',
    FETCH,
    { file: named, replace: "!name.startsWith('.') &&", by: '' },
    'rows name files',
  ],
  [
    'a line that stands twice is taken once',
    MEMBERS,
    { file: csv, replace: "stage.mark('kept', 'members', [...recent]);", by: '' },
    'however far apart',
  ],
  [
    'lines are numbered as the file has them',
    MEMBERS,
    {
      file: csvFile,
      replace: 'begunAt.push(endedAt - breaks.length);',
      by: 'begunAt.push(endedAt);',
    },
    'named by number',
  ],
  [
    'a break of two characters within quotation marks is one',
    MEMBERS,
    { file: csvFile, replace: 'filter(({ length }) => length === 2)', by: 'filter(() => false)' },
    'named by number',
  ],
  [
    'a file whose quotation marks are lost is not taken',
    MEMBERS,
    { file: csvFile, replace: 'else parser.destroy(faultOf(name, fault, endedAt + 1));', by: '' },
  ],
  [
    'a guarded cell is read as it was',
    MEMBERS,
    {
      file: 'src/importers/formula-guard.ts',
      replace: 'isTrigger(cell) ? cell.slice(1)',
      by: 'isTrigger(cell) ? cell',
    },
    'new members',
  ],
  [
    'a member who pays keeps the plan',
    MEMBERS,
    { file: writer, replace: '|| known.paying.has(memberId)', by: '' },
    'who pays',
  ],
  [
    'a list that repeats itself is given up',
    FAULTS,
    { file: 'src/sources/ghost-address/answers.ts', replace: 'isRepeated || ', by: '' },
    'repeats a page',
  ],
  [
    'a list that does not end is given up',
    FAULTS,
    {
      file: 'src/sources/ghost-address/answers.ts',
      replace: ' || answer.meta.pagination.pages !== pages',
      by: '',
    },
    'always has another page',
  ],
  [
    'files that cannot be fetched use up no limit',
    FETCH,
    {
      file: fetchFiles,
      replace: "if (typeof done === 'string') run.files.left += 1;",
      by: '',
    },
  ],
];

tryRows(ROWS);
