// Promises about cycles of the publisher and about very large changes: each test must fail on a source that breaks
// its promise.
import { type Row, tryRows } from './sabotaged-tests.ts';

const logReader = 'src/store/sqlite/log-reader.ts';
const toldRecords = 'src/delivery/told-records.ts';

const eventBodies = 'src/store/event-bodies.ts';
const deliverer = 'src/delivery/deliverer.ts';

const AFTER_BUILD = 'test/unit/after-build/after-build.test.ts';
const DELIVERER = 'test/unit/delivery/deliverer.test.ts';
const EVENT_BODIES = 'test/unit/store/event-bodies.test.ts';
const FORGET = 'test/unit/store/forget-changes.test.ts';
const MEMBER_LISTS = 'test/unit/store/member-lists.test.ts';
const PUBLISHER = 'test/unit/publisher/publisher.test.ts';
const TOLD = 'test/unit/delivery/told-records.test.ts';

const ROWS: readonly Row[] = [
  [
    'commits that follow one another closely are one build',
    PUBLISHER,
    {
      file: 'src/publisher/publisher.ts',
      replace: 'if (now === mark && !this.#isWoken) return;',
      by: 'return;',
    },
    'follow one another closely',
  ],
  [
    'the log is read in parts',
    TOLD,
    { file: logReader, replace: 'const PART = 5_000;', by: 'const PART = 5_000_000;' },
  ],
  [
    'the event loop goes on between two parts',
    TOLD,
    { file: logReader, replace: 'await tick();', by: 'await null;' },
  ],
  [
    'a flood is decided before the log is read again',
    TOLD,
    { file: toldRecords, replace: 'return isSilent(survey)\n', by: 'return false\n' },
  ],
  [
    'links that follow from a removal are not counted',
    TOLD,
    { file: toldRecords, replace: 'if (follows(change)) continue;', by: '' },
  ],
  [
    'the log is forgotten in parts',
    FORGET,
    {
      file: 'src/store/forget-changes.ts',
      replace: 'const PART = 2_000;',
      by: 'const PART = 2e6;',
    },
  ],
  [
    'commits of deliveries are no changes of the publication',
    PUBLISHER,
    {
      file: 'src/publisher/publisher.ts',
      replace: 'if (!isNews) this.#seenVersion = version;\n    return isNews;',
      by: 'return isNews || version !== this.#seenVersion;',
    },
  ],
  [
    'attempts that hang are ended at the close',
    DELIVERER,
    { file: deliverer, replace: '() => ending.abort(), ', by: '() => undefined, ' },
    'closing',
  ],
  [
    'leases of attempts that were ended are freed',
    DELIVERER,
    { file: deliverer, replace: 'if (ending.signal.aborted) {', by: 'if (false) {' },
    'closing',
  ],
  [
    'an attempt that was ended is no failure',
    DELIVERER,
    {
      file: 'src/delivery/try-delivery.ts',
      replace: 'if (result.error === ENDED) return false;',
      by: '',
    },
    'closing',
  ],
  [
    'what hosts read is written before events are queued',
    AFTER_BUILD,
    {
      file: 'src/publisher/publish-once.ts',
      replace: 'await options.onBuilt?.(built);',
      by: 'options.onBuilt?.(built).catch(() => undefined);',
    },
  ],
  [
    'a disk that fails keeps events unqueued',
    AFTER_BUILD,
    {
      file: 'src/after-build/after-build.ts',
      replace: 'if (!isHostFault(error)) throw asDiskError(error, UNWRITABLE);',
      by: '',
    },
  ],
  [
    "the plugin's builds write what hosts read",
    AFTER_BUILD,
    {
      file: 'src/eleventy/emit-content.ts',
      replace: 'isAlone: true, onBuilt: after.onBuilt',
      by: 'isAlone: true',
    },
  ],
  [
    'a host whose files cannot be made is tried again',
    AFTER_BUILD,
    {
      file: 'src/after-build/after-build.ts',
      replace: 'failure = error;',
      by: 'failure = error;\n        writtenGeneration = report.generation;',
    },
  ],
  [
    'a body that may be sent again is kept',
    EVENT_BODIES,
    { file: eventBodies, replace: "d.state <> 'done' OR ", by: '' },
  ],
  [
    'a body is kept for the days of the setting',
    EVENT_BODIES,
    { file: eventBodies, replace: 'OR d.finished_at > ', by: 'AND 0 > ' },
  ],
  [
    'no more bodies are dropped than the bound asks for',
    EVENT_BODIES,
    { file: eventBodies, replace: '(bytesBefore[at] ?? 0) < excess', by: 'bytesBefore[at] >= 0' },
  ],
  [
    'what is sent is what was said',
    EVENT_BODIES,
    {
      file: eventBodies,
      replace: 'payload.replace(BODY_MARK, () => inflateRawSync(packed).toString())',
      by: 'payload.replace(BODY_MARK, inflateRawSync(packed).toString())',
    },
  ],
  [
    'a page of members is read from an index',
    MEMBER_LISTS,
    {
      file: 'src/store/list-filter.ts',
      replace: "1000.0, 'unixepoch') END`",
      by: "1000, 'unixepoch') END`",
    },
  ],
  [
    'members with a label are counted from the label',
    MEMBER_LISTS,
    {
      file: 'src/store/list-filter.ts',
      replace: '(field.among ?? field.exists)',
      by: 'field.exists',
    },
  ],
  [
    'a page of few members is not looked for among all',
    MEMBER_LISTS,
    {
      file: 'src/store/list-source.ts',
      replace: '(offset + limit) * PASSED_FOR_ONE < total;',
      by: 'total > 0;',
    },
  ],
  [
    'many records are read in parts',
    'test/unit/builder/read-in-parts.test.ts',
    {
      file: 'src/builder/read-in-parts.ts',
      replace: 'const PART = 1_000;',
      by: 'const PART = 1_000_000;',
    },
  ],
  [
    'an attempt leaves nothing with the signal of the program',
    'test/unit/delivery/attempt.test.ts',
    {
      file: 'src/delivery/attempt.ts',
      replace: 'const { signal } = controller;',
      by: 'const signal = AbortSignal.any([controller.signal, ...(ending ? [ending] : [])]);',
    },
    'leaves nothing behind',
  ],
  [
    'a server has a thread build what is long',
    'test/unit/publisher/long-builds.test.ts',
    {
      file: 'src/publisher/publish-once.ts',
      replace: 'options.isServer === true &&',
      by: 'options.isServer === undefined &&',
    },
    'a server has a thread build what is long',
  ],
  [
    'bodies that are rendered together count together',
    'test/unit/publisher/long-builds.test.ts',
    {
      file: 'src/builder/long-build.ts',
      replace: ' || chunk > CHUNK_BYTES_MAX',
      by: '',
    },
    'one long body, or many',
  ],
  [
    'errors stay what they are between threads',
    'test/unit/publisher/long-builds.test.ts',
    {
      file: 'src/base/thread-error.ts',
      replace: 'return new PrepressError(code, message, {',
      by: 'return Object.assign(new Error(message), {',
    },
    'errors stay what they are between threads',
  ],
];

tryRows(ROWS);
