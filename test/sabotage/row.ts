// What a row of the sabotage table says, and the promises of the documents that rows hold.

/** One text of one source file, which stands there exactly once, and what replaces it. */
export type Edit = {
  /** Path from the project's root. */
  readonly file: string;
  readonly replace: string;
  readonly by: string;
};

/** Each promise and the document's words for it, or words that introduce it there. */
export const PROMISES = {
  'reliability/whole': 'Every file is whole at every moment.',
  'reliability/order': 'A list never names a record whose files are absent',
  'reliability/untouched': 'Unchanged files are not touched.',
  'reliability/same-bytes': 'An incremental build has the bytes of a full build.',
  'reliability/restart': 'After a crash, the next start reaches the bytes of a clean build.',
  'reliability/durable': 'A delivery leaves only when the files that it announces are durable.',
  'reliability/failed-build': 'a failed build says why, exits with 1, harms nothing',
  'reliability/commits': "any writer's committed change reaches the output",
  'reliability/together': 'two or eight processes at once are safe',
  'reliability/damage': 'A build notices a record that is not where its index points, and fails.',
  'reliability/broken-rows': 'A broken row stops nothing else.',
  'security/output': 'Text behind a paywall, drafts, scheduled posts, e-mail-only posts',
  'security/keys': 'The server answers no key, a content key, a wrong secret',
  'security/origin': 'no script from content runs on its origin.',
  'security/occupy': 'A request head must arrive within 10 s',
  'security/reach':
    'Webhooks, fetched pictures and `GET /admin/oembed/` reach public addresses only.',
  'security/uploads': 'Prepress detects the type of an upload from its bytes',
  'security/logs': 'Logs and errors hold no keys, tokens or e-mail addresses.',
  'webhooks/nothing-lost': 'nothing lost',
  'webhooks/one-id': 'at least once, under one id',
  'webhooks/nothing-early': 'nothing early',
  'webhooks/no-noise': 'no noise',
  'webhooks/on-time': 'on time',
  'webhooks/retried': 'retried',
  'webhooks/given-up': 'given up in the open',
  'webhooks/seen': 'every attempt is kept 30 days',
  'webhooks/verifiable': 'verifiable',
  'webhooks/guarded': 'guarded',
  'webhooks/clock': 'clock jumps',
} as const;

export type Promised = keyof typeof PROMISES;

export type Row = Edit & {
  /** What holds while the source is as it is. */
  readonly name: string;
  readonly holds: Promised;
  /** The test file that keeps watch. */
  readonly watch: string;
  /** A part of the name of its test; without it, all tests of the file keep watch. */
  readonly test?: string;
  /** Further edits that belong to the same sabotage. */
  readonly also?: readonly Edit[];
  /**
   * `program`: only in what the watch bundles (`battery/program.ts`), not in sources that its checks load themselves;
   * `command`: in `dist/prepress.js`. Without it, in the sources that the watch loads and in what it bundles.
   */
  readonly inside?: 'program' | 'command';
};

export const editsOf = ({ file, replace, by, also = [] }: Row): readonly Edit[] => [
  { file, replace, by },
  ...also,
];
