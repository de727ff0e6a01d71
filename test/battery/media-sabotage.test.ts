// The same for what lies in data/ and in the media folder, and for backups of both.
import { type Row, tryRows } from './sabotaged-tests.ts';

const DATA_FOLDER = 'test/unit/publisher/data-folder.test.ts';
const dataFolder = 'src/publisher/data-folder.ts';

const PLACE = 'test/unit/emit/place-media.test.ts';
const placeMedia = 'src/emit/place-media.ts';
const placedFolders = 'src/emit/placed-folders.ts';
const MEDIA = 'test/unit/publisher/media.test.ts';
const IMAGES = 'test/unit/importers/images.test.ts';
const BACKUP = 'test/unit/cli/backup.test.ts';
const backup = 'src/cli/commands/backup.ts';

const ROWS: readonly Row[] = [
  [
    "the output loses the sample's drawings with the media folder",
    'test/unit/cli/replacing-sample.test.ts',
    {
      file: 'src/importers/sample-pictures.ts',
      replace: "writeFileSync(join(mediaFolder, 'README.txt'), README);",
      by: '',
    },
  ],
  [
    "new files of ours are their owner's",
    DATA_FOLDER,
    {
      file: 'src/base/private-files.ts',
      replace: 'PRIVATE_FILE_MODE = 0o600',
      by: 'PRIVATE_FILE_MODE = 0o644',
    },
  ],
  [
    "lock files are their owner's",
    DATA_FOLDER,
    { file: 'src/store/sqlite/lock-file.ts', replace: '  makePrivateFile(path);\n', by: '' },
  ],
  [
    'files that were made before are closed',
    DATA_FOLDER,
    { file: dataFolder, replace: 'chmodSync(path, mode & ~WORLD);', by: 'chmodSync(path, mode);' },
  ],
  [
    'the folder that the output lies in stays open',
    DATA_FOLDER,
    { file: dataFolder, replace: '[output, media, process.cwd()]', by: '[media, process.cwd()]' },
  ],
  [
    'a folder of the system stays open',
    DATA_FOLDER,
    { file: dataFolder, replace: 'const STICKY = 0o1000;', by: 'const STICKY = 0;' },
  ],
  [
    'folders that did not change are not read',
    PLACE,
    {
      file: placeMedia,
      replace: 'if (isUnchanged(run, folder, source)) {',
      by: 'if (isUnchanged(run, folder, source) && source === null) {',
    },
  ],
  [
    'what was taken out of the output comes back',
    PLACE,
    {
      file: placeMedia,
      replace: ' && known.target === findFolderStamp(target)',
      by: ' && findFolderStamp(target) !== null',
    },
  ],
  [
    'a second change of a moment is seen',
    PLACE,
    {
      file: 'src/emit/folder-stamp.ts',
      replace: 'const SAME_TIME_MS = 2_000;',
      by: 'const SAME_TIME_MS = -60_000;',
    },
  ],
  [
    'a full build compares bytes',
    PLACE,
    {
      file: placeMedia,
      replace: 'isSame && (!run.isFull || (await hasSameBytes(from, to)))',
      by: 'isSame && (!run.isFull || (await hasSameBytes(to, to)))',
    },
  ],
  [
    'an empty media folder removes nothing',
    PLACE,
    {
      file: placedFolders,
      replace: 'if (one.gone.length === 0 || !(await this.#isMediaEmpty()))',
      by: 'if (one.gone.length >= 0 || !(await this.#isMediaEmpty()))',
    },
  ],
  [
    'what somebody made of a file of ours stays',
    PLACE,
    {
      file: placedFolders,
      replace: 'found?.isFile() === true && isSameFile(found, file)',
      by: 'found?.isFile() === true && isSameFile(file, file)',
    },
  ],
  [
    'no link is followed into a folder of the output',
    PLACE,
    {
      file: placedFolders,
      replace: 'if (!new OwnFolders(root).has(target)) return [];',
      by: 'if (!new OwnFolders(root)) return [];',
    },
  ],
  [
    'no link of the media folder is followed',
    PLACE,
    {
      file: 'src/emit/media-folder.ts',
      replace: 'else if (stats?.isDirectory()) folders.push(name);',
      by: 'else if (stats?.isDirectory() || stats?.isSymbolicLink()) folders.push(name);',
    },
  ],
  [
    'copies are no hard links',
    PLACE,
    {
      file: 'src/emit/copied-files.ts',
      replace: 'if (alias === undefined || !tryLink(alias, temporary)) {',
      by: 'if (!tryLink(alias ?? from, temporary)) {',
    },
  ],
  [
    'anybody can read what is kept',
    IMAGES,
    {
      file: 'src/emit/copied-files.ts',
      replace: 'if (folderMode !== undefined) chmodSync(path, folderMode);',
      by: '',
    },
  ],
  [
    'pictures come before documents',
    MEDIA,
    {
      file: 'src/publisher/publish-once.ts',
      replace:
        '    const media = await updateMedia(deps.paths, options);\n    const report = await buildWithManifest(deps, options);',
      by: '    const report = await buildWithManifest(deps, options);\n    const media = await updateMedia(deps.paths, options);',
    },
  ],
  [
    'the media folder that is taken over appears whole',
    MEDIA,
    {
      file: 'src/publisher/media.ts',
      replace: '  rmSync(draft, { recursive: true, force: true });\n  const pairs',
      by: '  const pairs',
    },
  ],
  [
    'a damaged database replaces no earlier copy',
    BACKUP,
    {
      file: backup,
      replace: 'if (fault === undefined || !existsSync(file)) return;',
      by: 'if (fault === undefined || existsSync(file)) return;',
    },
  ],
  [
    'an empty media folder replaces no earlier copy',
    BACKUP,
    {
      file: backup,
      replace: 'if (copied > 0) replaceFolder(partial, target.media);',
      by: 'replaceFolder(partial, target.media);',
    },
  ],
  [
    'what the backup before has takes no space',
    BACKUP,
    { file: backup, replace: 'earlier: target.earlierMedia,', by: 'earlier: null,' },
  ],
  [
    "backups are their owner's",
    BACKUP,
    {
      file: 'src/store/sqlite/backup.ts',
      replace: '    makePrivateFile(partial);\n',
      by: '',
    },
  ],
  [
    'pictures are taken from the content folder alone',
    IMAGES,
    {
      file: 'src/importers/images.ts',
      replace: 'if (own === undefined) throw noContent(root);',
      by: "if (own === undefined) return { folders: [{ from: '', name: 'images' }], skipped: [] };",
    },
    'nothing is taken from another folder',
  ],
  [
    'a dated backup goes into a folder that exists',
    BACKUP,
    {
      file: 'src/cli/backup-target.ts',
      replace: "takenAt !== null && extname(path) === ''",
      by: "takenAt === null && extname(path) === ''",
    },
  ],
];

tryRows(ROWS);
