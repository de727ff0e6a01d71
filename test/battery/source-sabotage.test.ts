// Promises that unit, contract and property tests keep watch over: each test must fail on a source that
// breaks its promise, and not because the source no longer runs.
import { type Row, tryRows } from './sabotaged-tests.ts';

const addresses = 'src/net/addresses.ts';
const vetTarget = 'src/net/vet-target.ts';
const attempt = 'src/delivery/attempt.ts';
const postEvents = 'src/delivery/post-events.ts';
const payload = 'src/delivery/payload.ts';
const retry = 'src/delivery/retry.ts';
const signatures = 'src/delivery/signatures.ts';
const authenticate = 'src/server/admin/authenticate.ts';
const triggers = 'src/store/sqlite/triggers.ts';
const gating = 'src/documents/gating.ts';

const ADDRESS_LIST = 'test/unit/net/addresses.test.ts';
const REBINDING = 'test/failure/delivery-rebinding.test.ts';
const TRUTH_TABLE = 'test/unit/delivery/truth-table.test.ts';
const CAPTURED = 'test/unit/delivery/captured.test.ts';
const PLAN = 'test/unit/delivery/plan-events.test.ts';
const DELIVERER = 'test/unit/delivery/deliverer.test.ts';
const RETRY = 'test/unit/delivery/retry.test.ts';
const SIGNATURES = 'test/unit/delivery/signatures.test.ts';
const KEYS = 'test/contract/admin-security-matrix.test.ts';
const CANARY = 'test/contract/admin-canary.test.ts';
const MEMBERS = 'test/unit/server/members.test.ts';
const NEWSLETTERS = 'test/unit/server/newsletters.test.ts';
const ADMIN = 'test/unit/server/admin.test.ts';
const SLOW = 'test/unit/server/slow-clients.long.test.ts';
const LOG = 'test/unit/store/change-log.test.ts';
const SIDECARS = 'test/unit/emit/sidecars.test.ts';
const PRECOMPRESS = 'test/unit/builder/precompress.test.ts';
const RUN_BUILD = 'test/unit/builder/run-build.test.ts';
const EQUAL = 'test/property/incremental-equals-full.test.ts';

const ROWS: readonly Row[] = [
  // Guarded.
  [
    'reserved ranges are refused',
    ADDRESS_LIST,
    {
      file: addresses,
      replace: "if (isRefused || address.range() !== 'unicast')",
      by: 'if (isRefused)',
    },
  ],
  [
    'IPv4 inside NAT64 is judged',
    ADDRESS_LIST,
    { file: addresses, replace: 'if (isIn(v6, NAT64))', by: 'if (v6.parts.length === 0)' },
  ],
  [
    'IPv4 inside ISATAP is judged',
    ADDRESS_LIST,
    { file: addresses, replace: '&& low === 0x5efe', by: '&& low === 0x5eff' },
  ],
  [
    'only global IPv6 is public',
    ADDRESS_LIST,
    { file: addresses, replace: 'isIn(address, PUBLIC_V6) &&', by: '' },
  ],
  [
    'literals are judged without DNS',
    ADDRESS_LIST,
    {
      file: vetTarget,
      replace: 'const isLiteral = isAddress(host);',
      by: 'const isLiteral = false;',
    },
  ],
  [
    'every answer is vetted',
    REBINDING,
    {
      file: vetTarget,
      replace: 'addresses.some((address) => isForbidden',
      by: 'addresses.every((address) => isForbidden',
    },
  ],
  [
    'the vetted address is the one that is connected to',
    REBINDING,
    {
      file: attempt,
      replace: 'addresses: vetted.addresses,',
      by: 'addresses: await sender.resolve(vetted.url.hostname),',
    },
  ],
  // Events and payloads.
  [
    'an edit of what is published is told as such',
    TRUTH_TABLE,
    { file: postEvents, replace: "return ['published.edited'];", by: 'return [];' },
  ],
  [
    'events come in the order of the table',
    TRUTH_TABLE,
    {
      file: postEvents,
      replace: "    ...statusEvents(before, after),\n    'edited' as const,",
      by: "    'edited' as const,\n    ...statusEvents(before, after),",
    },
  ],
  [
    'a save that changes nothing is no event',
    TRUTH_TABLE,
    {
      file: postEvents,
      replace: 'return isChanged(before, after) ? edited(before, after) : [];',
      by: 'return edited(before, after);',
    },
  ],
  [
    'what was published and taken back within a generation is one edit',
    PLAN,
    {
      file: 'src/delivery/netting.ts',
      replace: 'first === last) return [...steps];',
      by: 'first !== -1) return [...steps];',
    },
  ],
  [
    'previous has the keys that changed',
    CAPTURED,
    {
      file: payload,
      replace: 'JSON.stringify(old[key]) !== JSON.stringify(now[key])',
      by: 'key !== JSON.stringify(old)',
    },
  ],
  [
    'a long body says that it is truncated',
    PLAN,
    {
      file: payload,
      replace: 'if (Buffer.byteLength(payload) <= PAYLOAD_BYTES_MAX) return { payload, body };',
      by: 'if (body !== "") return { payload, body };',
    },
  ],
  // Delivery.
  [
    'Standard Webhooks sign with the decoded secret',
    SIGNATURES,
    {
      file: signatures,
      replace: "createHmac('sha256', standardKey(secret))",
      by: "createHmac('sha256', secret)",
    },
  ],
  [
    'the Ghost header is signed with the newest secret',
    DELIVERER,
    {
      file: signatures,
      replace: "createHmac('sha256', secrets[0] ?? '')",
      by: "createHmac('sha256', secrets.at(-1) ?? '')",
    },
  ],
  [
    'jitter is only added',
    RETRY,
    {
      file: retry,
      replace: '+ Math.floor(step * JITTER * random)',
      by: '- Math.floor(step * JITTER * random)',
    },
  ],
  [
    'Retry-After is bounded',
    RETRY,
    { file: retry, replace: 'RETRY_AFTER_MS_MAX);', by: 'Number.POSITIVE_INFINITY);' },
  ],
  [
    'five days of failures disable a webhook',
    DELIVERER,
    {
      file: retry,
      replace: 'const FAILING_MS_MAX = 5 * 24 * HOUR;',
      by: 'const FAILING_MS_MAX = 50 * 24 * HOUR;',
    },
  ],
  [
    'a clock that goes back holds nothing up',
    DELIVERER,
    {
      file: 'src/delivery/claimer.ts',
      replace: 'if (await hasTimesTooFar(store.reader, now)) {',
      by: 'if ((await hasTimesTooFar(store.reader, now)) && now < 0) {',
    },
  ],
  [
    'what is being tried is not claimed again when the clock goes on',
    DELIVERER,
    { file: 'src/delivery/claimer.ts', replace: 'except: mine', by: 'except: mine.slice(0, 0)' },
  ],
  // Who gets in.
  [
    'a token ends',
    KEYS,
    {
      file: authenticate,
      replace: 'currentDate: new Date(nowMs),',
      by: 'currentDate: new Date(nowMs - 1e9),',
    },
  ],
  [
    'a token is for the admin interface',
    KEYS,
    { file: authenticate, replace: ' && AUDIENCE.test(name)', by: '' },
  ],
  [
    'a token of the future is refused',
    KEYS,
    { file: authenticate, replace: 'iat <= nowMs / 1000 + AHEAD_MAX_S &&', by: '' },
  ],
  [
    'a revoked key is refused at once',
    KEYS,
    {
      file: authenticate,
      replace: ' && row.revoked_at === null;',
      by: ';',
    },
  ],
  [
    'too many failures are held up',
    ADMIN,
    {
      file: 'src/server/admin/failure-limit.ts',
      replace: 'known.failures <= failuresMax',
      by: 'known.failures > 0',
    },
    'too many failures',
  ],
  // What gets out.
  [
    'keys of queries are not logged',
    'test/unit/server/logger.test.ts',
    {
      file: 'src/server/logger.ts',
      replace: "line.replace(KEY_IN_QUERY, '$1[secret]') : line",
      by: 'line + String(KEY_IN_QUERY).slice(0, 0) : line',
    },
  ],
  [
    'addresses of members are not logged',
    CANARY,
    {
      file: 'src/server/request-log.ts',
      replace: ".replace(/[^/]*(?:@|%40)[^/]*/gi, '[address]')",
      by: '',
    },
  ],
  // Admin interface.
  [
    'e-mail addresses are unique in any case',
    MEMBERS,
    {
      file: 'src/store/members.ts',
      replace: 'row.email.toLowerCase() === folded',
      by: 'row.email === email',
    },
  ],
  [
    'a wrong key unsubscribes nobody',
    MEMBERS,
    {
      file: 'src/admin/unsubscribe.ts',
      replace: 'given.length !== right.length || !timingSafeEqual(given, right)',
      by: 'given.length !== right.length',
    },
    'the unsubscribe address',
  ],
  [
    'unsubscribing is undone by what it gave alone',
    'test/unit/server/notices.test.ts',
    {
      file: 'src/admin/unsubscribe.ts',
      replace: 'checkSame(key, undoKey(context, request.uuid, ids));',
      by: 'checkSame(key, key);',
    },
    'unsubscribing says',
  ],
  [
    'a page of the server has no markup of the publication',
    'test/unit/server/notices.test.ts',
    {
      file: 'src/server/notice-page.ts',
      replace: "text.replace(/[&<>\"]/g, (character) => ENTITIES[character] ?? '')",
      by: 'text.replace(ENTITIES[text] ?? text, text)',
    },
    'a browser gets errors',
  ],
  [
    'the desk may not be framed',
    'test/unit/server/desk.test.ts',
    {
      file: 'src/server/desk-page.ts',
      replace: '  "frame-ancestors \'none\'",\n',
      by: '',
    },
    'the page loads nothing',
  ],
  [
    'a mailed link is good once',
    'test/unit/admin/sender-mails.test.ts',
    {
      file: 'src/store/verification-tokens.ts',
      replace: "    .where('token_sha256', '=', sha256)\n    .where('used_at', 'is', null)\n",
      by: "    .where('token_sha256', '=', sha256)\n",
    },
  ],
  [
    'at most five mails an hour go to an address',
    NEWSLETTERS,
    {
      file: 'src/admin/verify-sender.ts',
      replace: 'const MAILS_TO_ADDRESS_MAX = 5;',
      by: 'const MAILS_TO_ADDRESS_MAX = 50;',
    },
    'at most five mails',
  ],
  [
    'a head that never ends is cut off',
    SLOW,
    {
      file: 'src/server/create-server.ts',
      replace: 'headersTimeout: HEADERS_TIMEOUT_MS,',
      by: 'headersTimeout: 3 * HEADERS_TIMEOUT_MS,',
    },
    'a head has ten seconds',
  ],
  // The main promises.
  [
    'what is gated stays inside',
    'test/unit/documents/gating-leaks.test.ts',
    {
      file: gating,
      replace: "return { html: '', state: 'withheld' };",
      by: "return { html, state: 'whole' };",
    },
  ],
  [
    'rows that REPLACE removes are logged',
    LOG,
    { file: triggers, replace: "trigger('ri', 'BEFORE INSERT', replaced(conflicts)),", by: '' },
  ],
  [
    'a sidecar goes with its file',
    SIDECARS,
    {
      file: 'src/emit/removals.ts',
      replace: 'if (findEncoding(name) === null) this.#names.push(...sidecarsOf(name));',
      by: '',
    },
    'a removed file takes along',
  ],
  [
    'a sidecar of other bytes is made anew',
    SIDECARS,
    {
      file: 'src/emit/compressed-files.ts',
      replace: 'decompress(path, encoding, bytes.length)?.equals(bytes) === true',
      by: 'decompress(path, encoding, bytes.length) !== null',
    },
    'of other bytes',
  ],
  [
    'no sidecar stays of an encoding that the setting has no more',
    PRECOMPRESS,
    {
      file: 'src/emit/orphaned-files.ts',
      replace: 'return encoding !== null && !encodings.includes(encoding);',
      by: 'return encoding !== null && encodings.length > 2;',
    },
    'a changed setting',
  ],
  [
    'an edited tag reaches the posts that embed it',
    EQUAL,
    { file: 'src/builder/plan.ts', replace: 'touched.posts.add(id);', by: '' },
    'after any edits',
  ],
  [
    'another timezone removes what is gone',
    RUN_BUILD,
    {
      file: 'src/builder/resource-pass.ts',
      replace: '    before: manifest.segments(resource),\n',
      by: '',
    },
    'another timezone',
  ],
  [
    'another timezone rewrites only what differs',
    RUN_BUILD,
    {
      file: 'src/builder/resource-pass.ts',
      replace: '    earlier: (ids) => manifest.entries(resource, ids),\n',
      by: '',
    },
    'another timezone',
  ],
  [
    'an edit of many asks for few records at a time',
    'test/unit/builder/many-records.long.test.ts',
    {
      file: 'src/builder/resource-pass.ts',
      replace: 'earlier: (asked) => pick(earlier, asked),',
      by: 'earlier: () => earlier,',
    },
    'few that are rendered',
  ],
  [
    'a folder makes way for a removal only with what is our own',
    RUN_BUILD,
    {
      file: 'src/emit/removals.ts',
      replace: 'if (standing.isDirectory()) removeFolder(join(root, name));',
      by: "if (standing.isDirectory()) process.getBuiltinModule('node:fs').rmSync(join(root, name), { recursive: true });",
    },
    'a folder in place of a file that goes',
  ],
  [
    'verify goes on where a file stands in place of a folder',
    RUN_BUILD,
    {
      file: 'src/emit/file-stamp.ts',
      replace: "code === 'ENOTDIR'",
      by: "code === 'ENOENT'",
    },
    'in place of the content folder',
  ],
  [
    'no thread waits for one that could not be started',
    'test/unit/emit/bundled-worker.test.ts',
    {
      file: 'src/emit/bundled-worker.ts',
      replace: 'for (const thread of threads) end(thread);',
      by: '',
    },
  ],
  [
    'a snapshot that fails leaves no transaction open',
    'test/unit/store/altered-schema.test.ts',
    {
      file: 'src/store/sqlite/snapshot.ts',
      replace: '    opened.connection.close();\n    throw error;',
      by: '    throw error;',
    },
    'leaves no transaction open',
  ],
  [
    'a tree is known only as it was left',
    'test/unit/builder/plan.test.ts',
    {
      file: 'src/builder/plan.ts',
      replace: 'isSameShape && follows && input.isTreeTrusted()',
      by: 'isSameShape && follows',
    },
  ],
];

tryRows(ROWS);
