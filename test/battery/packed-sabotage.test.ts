// The same for the packed tree: where its blobs end, what stays of earlier generations, what never enters it, and how it
// is placed and carried.
import { type Row, tryRows } from './sabotaged-tests.ts';

const EDITS = 'test/property/packed-edits.test.ts';
const KEPT = 'test/unit/builder/kept-blobs.long.test.ts';
const PLACING = 'test/unit/builder/packed-placing.test.ts';
const DEPLOY = 'test/unit/deploy/deploy.test.ts';

const ROWS: readonly Row[] = [
  [
    'blobs that are kept from build to build are theirs whose files stand as they were read',
    'test/unit/builder/blob-memory.test.ts',
    {
      file: 'src/builder/blob-memory.ts',
      replace: 'if (blob?.stamp !== stamp) return null;',
      by: 'if (blob === undefined) return null;',
    },
  ],
  [
    'a record that is found by another slug is packed anew',
    'test/unit/builder/set-aside.test.ts',
    {
      file: 'src/builder/resource-pass.ts',
      replace: 'if (before?.slug === slug && before.pack.equals(pack)) return;',
      by: 'if (before?.pack.equals(pack) && slug !== null) return;',
    },
    'a living row keeps its address',
  ],
  [
    'blobs end where ids say, not positions',
    EDITS,
    {
      file: 'src/packed/cutter.ts',
      replace: 'opensChunk(this.#family, keyOf(row)))',
      by: 'this.#rows.length >= 3)',
    },
  ],
  [
    'a chunk that does not begin any more is put to the one before',
    EDITS,
    {
      file: 'src/packed/edit-pieces.ts',
      replace: 'return list.before(place) ?? place;',
      by: 'return place;',
    },
  ],
  [
    'chunks are cut on until a boundary falls where one was',
    EDITS,
    {
      file: 'src/packed/edit-pieces.ts',
      replace: 'return first !== undefined && cutter.cutsBefore(first);',
      by: 'return first !== undefined;',
    },
  ],
  [
    'a build of edits has the blobs of a full one',
    'test/property/incremental-equals-full.test.ts',
    {
      file: 'src/packed/edit-pieces.ts',
      replace: 'return list.before(place) ?? place;',
      by: 'return place;',
    },
    'after any edits',
  ],
  [
    'where the newest long run of columns begins elsewhere, those between are cut anew',
    EDITS,
    {
      file: 'src/packed/edit-collection.ts',
      replace: 'const touched = withTouches(own, keys, { before, after });',
      by: 'const touched = own;',
    },
  ],
  [
    'and so is every chunk of theirs',
    EDITS,
    {
      file: 'src/packed/edit-collection.ts',
      replace: '.filter((key) => !edited.has(spellKey(key)))',
      by: '.filter((key) => !edited.has(spellKey(older)))',
    },
  ],
  [
    'titles stand in their order',
    'test/property/queries.test.ts',
    {
      file: 'src/packed/index-families.ts',
      replace: 'compareFirst: compareText,',
      by: 'compareFirst: compareCodeUnits,',
    },
  ],
  [
    'titles move with their records',
    EDITS,
    {
      file: 'src/packed/edit-collection.ts',
      replace: '(before && firstOf(before)) !== (after && firstOf(after)),',
      by: 'before === null,',
    },
  ],
  [
    'nothing of a record that was taken back stays',
    KEPT,
    {
      file: 'src/builder/settle-tree.ts',
      replace: 'keepHours > 0 && takenBack.size === 0;',
      by: 'keepHours > 0;',
    },
    'leaves nothing behind',
  ],
  [
    'nor of one that is gated now',
    KEPT,
    {
      file: 'src/builder/resource-pass.ts',
      replace: 'before !== undefined && isGated(entry.pack) && ',
      by: 'before === undefined && ',
    },
    'leaves nothing behind',
  ],
  [
    'nor of one that goes while other settings are taken up',
    KEPT,
    {
      file: 'src/builder/resource-pass.ts',
      replace: 'for (const { id } of work.before) if (!ids.has(id)) context.takenBack.add(id);',
      by: '',
    },
    'leaves nothing behind',
  ],
  [
    'a reader finds the blobs of the root before',
    KEPT,
    {
      file: 'src/builder/settle-tree.ts',
      replace: 'nowMs - keepHours * HOUR_MS',
      by: 'Number.MAX_SAFE_INTEGER',
    },
    'a reader with the root of before',
  ],
  [
    'blobs that are kept go after their hours',
    KEPT,
    {
      file: 'src/builder/settle-tree.ts',
      replace: 'nowMs - keepHours * HOUR_MS',
      by: '0',
    },
    'they go with the first publish',
  ],
  [
    'a blob that comes back belongs to the tree again',
    KEPT,
    {
      file: 'src/builder/settle-tree.ts',
      replace: 'for (const blob of put) manifest.putBlob(blob);',
      by: 'for (const blob of put) if (isFull || !manifest.hasBlob(blob.name)) manifest.putBlob(blob);',
    },
    'a blob that comes back',
  ],
  [
    'a full build removes what is kept',
    KEPT,
    {
      file: 'src/builder/settle-tree.ts',
      replace: 'if (!isOwn) session.remove(name);',
      by: '',
    },
    'a full build removes',
  ],
  [
    'a gated body has no plain text',
    KEPT,
    {
      file: 'src/documents/post-body.ts',
      replace: "if (state === 'withheld') return EMPTY;",
      by: "if (state === 'withheld' && post.plaintext !== null) return site.body(post.plaintext).text;",
    },
    'never enters the tree',
  ],
  [
    'a body that is cut has the plain text of what is shown',
    KEPT,
    {
      file: 'src/documents/post-body.ts',
      replace:
        "if (state === 'whole' && post.plaintext !== null) return site.body(post.plaintext).text;",
      by: 'if (post.plaintext !== null) return site.body(post.plaintext).text;',
    },
    'never enters the tree',
  ],
  [
    'verify reads kept blobs, too',
    KEPT,
    {
      file: 'src/builder/verify-files.ts',
      replace: 'if (reason !== null) findings.push({ path, reason });',
      by: "if (reason !== null && !path.startsWith('packed/')) findings.push({ path, reason });",
    },
    'verify names',
  ],
  [
    'blobs are placed before the root',
    PLACING,
    {
      file: 'src/emit/replace-session.ts',
      replace: 'const { files: leaves, folders } = this.leafGroup;',
      by: `const { folders } = this.leafGroup;
    const leaves = [];
    this.listGroup.files.push(...this.leafGroup.files.splice(0));`,
    },
  ],
  [
    'blobs are synced before they get their names',
    PLACING,
    {
      file: 'src/emit/replace-session.ts',
      replace: 'sync([...leafGroup.files, ...listGroup.files])',
      by: 'sync(listGroup.files)',
    },
    'blobs are synced',
  ],
  [
    'names of blobs are synced before the root is another',
    PLACING,
    {
      file: 'src/emit/replace-session.ts',
      replace: 'await durability.syncPaths(root, await placer.rename(leaves, folders));',
      by: 'await placer.rename(leaves, folders);',
    },
    'blobs are synced',
  ],
  [
    'a deploy carries blobs before the root',
    DEPLOY,
    {
      file: 'src/deploy/deploy.ts',
      replace: "['blob', 'media', 'record', 'list', 'root'];",
      by: "['root', 'record', 'list', 'blob'];",
    },
    'at no moment does the root',
  ],
  [
    'a deploy carries pictures before the records that name them',
    DEPLOY,
    {
      file: 'src/deploy/deploy.ts',
      replace: "['blob', 'media', 'record', 'list', 'root'];",
      by: "['blob', 'record', 'media', 'list', 'root'];",
    },
    'pictures come before',
  ],
  [
    'a deploy removes blobs last',
    DEPLOY,
    {
      file: 'src/deploy/deploy.ts',
      replace: '  for (const stage of PUTS) await put(stage);\n  for',
      by: '  await target.remove(removed);\n  for (const stage of PUTS) await put(stage);\n  for',
    },
    'at no moment does the root',
  ],
  [
    'a deploy removes blobs that are gone',
    DEPLOY,
    {
      file: 'src/deploy/deploy.ts',
      replace: ' || isBlob(name);',
      by: ';',
    },
    'a folder gets what differs',
  ],
  [
    'the public site is not asked for blobs',
    'test/unit/builder/precompress.test.ts',
    {
      file: 'src/publisher/public-gate.ts',
      replace: ' && !isBlob(name)',
      by: '',
    },
    'what a public site shows',
  ],
];

tryRows(ROWS);
