// Promises of the companion server: each test must fail on a source that breaks its promise.
import { type Row, tryRows } from './sabotaged-tests.ts';

const NAMES = 'test/unit/server/names.test.ts';
const TARGETS = 'test/unit/server/request-targets.test.ts';
const PROXIES = 'test/unit/server/trust-proxy.test.ts';

const UPLOADS = 'test/unit/server/uploads.test.ts';
const METRICS = 'test/unit/server/metrics.test.ts';
const LONG_LISTS = 'test/unit/store/long-lists.test.ts';

const ROWS: readonly Row[] = [
  [
    'metrics take no name from a client',
    METRICS,
    {
      file: 'src/server/metrics/count-requests.ts',
      replace: "return AREAS.has(area) ? area : 'other';",
      by: 'return area;',
    },
    'requests are counted',
  ],
  [
    'uploads are judged by their bytes',
    UPLOADS,
    {
      file: 'src/admin/upload-type.ts',
      replace: 'return ending ?? textEnding(name);',
      by: "return ending ?? name.slice(name.lastIndexOf('.') + 1);",
    },
  ],
  [
    'a drawing in an address counts as a page',
    UPLOADS,
    { file: 'src/admin/svg-fault.ts', replace: "[...SCRIPTS, 'data:']", by: 'SCRIPTS' },
  ],
  [
    'what a drawing holds is read in any prefix',
    UPLOADS,
    {
      file: 'src/admin/svg-fault.ts',
      replace: 'const folded = local.toLowerCase();\n  if (ACTIVE',
      by: 'const folded = name.toLowerCase();\n  if (ACTIVE',
    },
  ],
  [
    'attributes of a drawing are counted while they are read',
    UPLOADS,
    { file: 'src/admin/svg-fault.ts', replace: '  checkCount(attribList);\n', by: '' },
    '5,000 attributes of a tag',
  ],
  [
    'namespaces of a drawing count while their element is open',
    UPLOADS,
    {
      file: 'src/admin/svg-fault.ts',
      replace: 'run.namespaces -= run.open.pop() ?? 0;',
      by: 'run.open.pop();',
    },
    'many elements with namespaces',
  ],
  [
    'of a picture that is measured only the beginning is read',
    UPLOADS,
    {
      file: 'src/admin/uploads.ts',
      replace: 'MEASURED_BYTES = 512 * 1024',
      by: 'MEASURED_BYTES = 1024 * 1024',
    },
    'the shape of a picture',
  ],
  [
    'who is still sending reads why the body is refused',
    'test/unit/server/request-bodies.test.ts',
    {
      file: 'src/server/create-server.ts',
      replace: "if (problem.status === 413) reply.removeHeader('connection');",
      by: '',
    },
    'goes on sending',
  ],
  [
    'uploads that come at once have names of their own',
    UPLOADS,
    { file: 'src/admin/uploads.ts', replace: 'claimed.add(path);', by: '' },
  ],
  [
    'nothing of an upload stays that was refused',
    UPLOADS,
    {
      file: 'src/server/admin/upload-routes.ts',
      replace: 'for (const { file } of files.values()) rmSync(file, { force: true });',
      by: '',
    },
  ],
  [
    'a video is kept with its thumbnail or not at all',
    UPLOADS,
    {
      file: 'src/server/admin/upload-routes.ts',
      replace: "if (thumbnail) await judgeUpload('images', thumbnail.file, thumbnail.name);",
      by: '',
    },
  ],
  [
    'what is saved with the address of an upload is stored as the own',
    UPLOADS,
    {
      file: 'src/admin/stored-urls.ts',
      replace: 'if (UPLOADED.test(path)) return',
      by: "if (path === 'x') return",
    },
  ],
  [
    'a path is read in one spelling',
    NAMES,
    {
      file: 'src/paths/canonical-path.ts',
      replace: 'encodeURIComponent(decodeURIComponent(segment))',
      by: 'segment',
    },
  ],
  [
    'a plain file is sent under its own name',
    NAMES,
    {
      file: 'src/server/content/plain-files.ts',
      replace: "sendStatic(reply, file.split(sep).join('/'),",
      by: "sendStatic(reply, file.split(sep).map(encodeURIComponent).join('/'),",
    },
  ],
  [
    'a link to documents asks for the key',
    NAMES,
    {
      file: 'src/server/content/content-answers.ts',
      replace: 'if (isGuarded(file)) await keys.check(query);',
      by: '',
    },
  ],
  [
    'pages for people show no document',
    NAMES,
    {
      file: 'src/server/content/people-pages.ts',
      replace: 'return isTaken ? null : file;',
      by: 'return file;',
    },
  ],
  [
    'an absolute target is answered as its path',
    TARGETS,
    {
      file: 'src/server/addresses.ts',
      replace: "target.replace(ORIGIN, '')",
      by: 'target',
    },
  ],
  [
    'proxies are counted from this server',
    PROXIES,
    {
      file: 'src/server/connections/client-address.ts',
      replace: 'hop < proxies',
      by: 'hop <= proxies',
    },
  ],
  [
    'proxies are never all trusted',
    'test/unit/config/load.test.ts',
    {
      file: 'src/config/trusted-proxies.ts',
      replace: 'return value === false;',
      by: "return typeof value === 'boolean';",
    },
  ],
  [
    'a document of the interface is made once',
    'test/unit/server/openapi-answer.test.ts',
    {
      file: 'src/server/openapi-answer.ts',
      replace: 'if (kept?.serverUrl === serverUrl) return kept;',
      by: '',
    },
  ],
  [
    'a token is looked up before anything is written',
    'test/unit/server/no-early-writes.test.ts',
    {
      file: 'src/admin/verify-sender.ts',
      replace: 'const isOpen = isOpenRequest(',
      by: 'const isOpen = true || isOpenRequest(',
    },
  ],
  [
    'before the first build nothing is said to be absent',
    'test/unit/server/not-built.test.ts',
    {
      file: 'src/server/content/content-faults.ts',
      replace: 'if (file === null && !hasSummary(root)) throw',
      by: 'if (file !== null && !hasSummary(root)) throw',
    },
  ],
  [
    'long lists are read beside the other work',
    LONG_LISTS,
    {
      file: 'src/store/list-source.ts',
      replace: 'rows.length === 0 ? reader : longReader',
      by: 'rows.length < 2 ? reader : longReader',
    },
  ],
  [
    'long queries leave the event loop to others',
    LONG_LISTS,
    {
      file: 'src/store/sqlite/threaded-reader.ts',
      replace: 'return await asked.ask(request);',
      by: 'return await Promise.resolve(null);',
    },
  ],
  [
    'errors of long queries keep their codes',
    LONG_LISTS,
    {
      file: 'src/store/sqlite/threaded-reader.ts',
      replace: '{ code: answer.code }',
      by: '{}',
    },
  ],
  [
    'long loops leave ticks to others',
    'test/unit/base/work-in-slices.test.ts',
    {
      file: 'src/base/work-in-slices.ts',
      replace: 'if (done % slice === 0)',
      by: 'if (done < 0)',
    },
  ],
  [
    'a text in pieces replaces a file whole',
    'test/unit/emit/write-whole.test.ts',
    {
      file: 'src/emit/write-whole.ts',
      replace: 'await writeFile(draft, pieces,',
      by: 'await writeFile(path, pieces,',
    },
    'in pieces',
  ],
  [
    'members are subscribed in pieces, with ticks for others',
    'test/unit/store/subscribe-existing.test.ts',
    {
      file: 'src/store/newsletters.ts',
      replace: 'const SUBSCRIBED_AT_ONCE = 500;',
      by: 'const SUBSCRIBED_AT_ONCE = 500_000;',
    },
  ],
  [
    'the server sends the headers of the table',
    'test/matrix/companion.test.ts',
    {
      file: 'src/paths/headers.ts',
      replace: "REDIRECT_CACHE = 'public, max-age=31536000'",
      by: "REDIRECT_CACHE = 'public, max-age=3600'",
    },
  ],
];

tryRows(ROWS);
