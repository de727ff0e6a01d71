// Promises about commands, their settings and what they say: each test must fail on a source that breaks its promise.
import { type Row, tryRows } from './sabotaged-tests.ts';

const LOAD = 'test/unit/config/load.test.ts';
const REPORT = 'test/unit/cli/report.test.ts';
const LOG = 'test/unit/server/readable-log.test.ts';
const RELOADING = 'test/unit/cli/run-reloading.test.ts';
const SERVER_SETTINGS = 'test/unit/publisher/server-settings.test.ts';
const VERIFY = 'test/unit/builder/verify.test.ts';
const SAMPLE = 'test/unit/importers/sample.test.ts';

const ROWS: readonly Row[] = [
  [
    'no backup goes over the files of the publication',
    'test/unit/cli/backup.test.ts',
    {
      file: 'src/cli/backup-target.ts',
      replace: 'throwIfOwn(realpathSync(folder), { database, served });',
      by: '',
    },
    'no place for a backup',
  ],
  [
    'a file that is no database is not replaced',
    'test/unit/cli/backup.test.ts',
    {
      file: 'src/cli/commands/backup.ts',
      replace: 'if (options.replace === true) throwIfNoBackup(file);',
      by: 'if (options.replace === true) void throwIfNoBackup;',
    },
    'is not replaced',
  ],
  [
    'what a server builds later fails no verify',
    VERIFY,
    {
      file: 'src/builder/verify.ts',
      replace: 'waiting?.touched[resource].has(id) === true',
      by: 'waiting === undefined && id === resource',
    },
    'has yet to build',
  ],
  [
    'the page of an earlier time is known by its mark',
    'test/unit/eleventy/page-files.test.ts',
    {
      file: 'src/emit/page-files.ts',
      replace: "readFileSync(path, 'utf8').includes(OWN_MARK)",
      by: "readFileSync(path, 'utf8').includes('')",
    },
    'have its mark',
  ],
  [
    'a settings file behind links is watched',
    'test/unit/cli/watch-files.test.ts',
    {
      file: 'src/cli/watch-files.ts',
      replace: 'setInterval(tell, POLL_MS).unref()',
      by: 'undefined',
    },
    'links lead to',
  ],
  [
    'a template that changes before its folder is watched is told',
    'test/unit/cli/run-reloading.test.ts',
    {
      file: 'src/cli/watch-files.ts',
      replace: "watcher.once('ready', watching.tell);",
      by: '',
    },
    'before it is watched',
  ],
  [
    'a disk that can only be read is named',
    'test/unit/store/read-only-disk.test.ts',
    {
      file: 'src/store/sqlite/connection.ts',
      replace: '(isUnwritable && findUnwritableReason(dirname(path))) || said',
      by: '(isUnwritable && findUnwritableReason(dirname(path)) === "") || said',
    },
    'not opened',
  ],
  [
    'a name that the settings file has twice is refused',
    LOAD,
    {
      file: 'src/config/json-fault.ts',
      replace: 'this.repeated ??= { at: start, name };',
      by: '',
    },
    'twice',
  ],
  [
    'a public address holds no password',
    LOAD,
    { file: 'src/config/schemas.ts', replace: "password === ''", by: 'true' },
    'may not be',
  ],
  [
    'a text that is not a network is refused',
    LOAD,
    { file: 'src/config/networks.ts', replace: 'Number(prefix) <= bits', by: 'true' },
    'may not be',
  ],
  [
    'an option that the plugin does not have is refused',
    'test/unit/eleventy/plugin-options.test.ts',
    {
      file: 'src/eleventy/plugin-options.ts',
      replace: 'includes(name)) continue;',
      by: 'includes(name) || name !== "") continue;',
    },
  ],
  [
    'the output does not hold the database',
    'test/unit/config/load.test.ts',
    { file: 'src/config/places.ts', replace: 'isInside(data, output)', by: 'data === ""' },
    'not apart',
  ],
  [
    'all settings at fault are named',
    LOAD,
    {
      file: 'src/config/load.ts',
      replace: 'if (more.length === 0) {',
      by: 'if (more.length < 100) {',
    },
  ],
  [
    'a value with an e-mail address is not quoted',
    LOAD,
    { file: 'src/config/load.ts', replace: "|| text.includes('@')", by: '' },
  ],
  [
    'the line of a fault is counted',
    LOAD,
    { file: 'src/config/json-fault.ts', replace: 'line: before.length', by: 'line: 1' },
  ],
  [
    'what a terminal obeys is escaped',
    REPORT,
    { file: 'src/base/printable.ts', replace: '[\\p{Cc}\\u061c', by: '[\\u061c' },
  ],
  [
    'the log escapes it too',
    LOG,
    {
      file: 'src/server/readable-log.ts',
      replace: '? toPrintable(msg)',
      by: '? msg',
    },
  ],
  [
    'a post that was added to the sample keeps its author',
    SAMPLE,
    {
      file: 'src/importers/sample.ts',
      replace: 'some.filter((id) => !kept.has(id))',
      by: 'some',
    },
  ],
  [
    'links of the sample itself keep nothing',
    SAMPLE,
    { file: 'src/importers/sample.ts', replace: '[...LINKED, ...', by: '[...' },
  ],
  [
    'a build compares its settings with those of the server',
    SERVER_SETTINGS,
    {
      file: 'src/publisher/publish-once.ts',
      replace: 'if (options.isServer !== true) await throwIfServerDiffers(deps);',
      by: '',
    },
  ],
  [
    'a publish compares its settings before it changes the post',
    SERVER_SETTINGS,
    {
      file: 'src/cli/commands/publish.ts',
      replace: '      await throwIfServerDiffers(workspace);',
      by: '',
    },
  ],
  [
    'the port is no setting of its own',
    SERVER_SETTINGS,
    {
      file: 'src/publisher/server-settings.ts',
      replace: '    ...others,\n  });',
      by: '    port,\n    ...others,\n  });',
    },
  ],
  [
    'a changed settings file starts the server again',
    RELOADING,
    {
      file: 'src/cli/run-reloading.ts',
      replace: 'return differing(current, next).length > 0 ? next : null;',
      by: 'return differing(current, next).length > 100 ? next : null;',
    },
  ],
  [
    'a server that cannot start with new settings goes back to the old ones',
    RELOADING,
    {
      file: 'src/cli/run-reloading.ts',
      replace: '        session = await run.start(current);\n      }',
      by: '      }',
    },
  ],
  [
    'links in place of folders are named',
    VERIFY,
    {
      file: 'src/builder/verify-files.ts',
      replace: 'if (!own.has(join(contentFolder, folder)) &&',
      by: 'if (linked.size > 0 &&',
    },
  ],
  [
    'a damaged manifest is no damaged publication',
    VERIFY,
    {
      file: 'src/builder/verify.ts',
      replace: 'if (!isUnfit(error) || isDamaged)',
      by: 'if (isUnfit(error))',
    },
  ],
  [
    'files that nobody placed are named',
    VERIFY,
    {
      file: 'src/builder/verify-uninvited.ts',
      replace: 'const isOurs = isPlaced(path) || isKnown(path) || names.has(entry.name);',
      by: 'const isOurs = true;',
    },
  ],
  [
    'a copy that no host asked for is named',
    VERIFY,
    { file: 'src/builder/verify-uninvited.ts', replace: "entry.name !== 'index.html' && ", by: '' },
  ],
  [
    'rows are rendered again',
    VERIFY,
    {
      file: 'src/builder/compare-rows.ts',
      replace: 'if (isSame && isPacked) return null;',
      by: 'if (isSame || entry.pack.length > 0) return null;',
    },
  ],
  [
    'what is logged is no edit that no trigger logged',
    VERIFY,
    {
      file: 'src/builder/compare-rows.ts',
      replace: 'entry === undefined || isLogged(id)',
      by: 'entry === undefined',
    },
  ],
  [
    'a link to the new tree is no tree of before',
    'test/unit/builder/run-build.test.ts',
    {
      file: 'src/builder/run-build.ts',
      replace: 'return before === root ? null : before;',
      by: 'return state?.root === root ? null : before;',
    },
    'a tree of before is named',
  ],
  [
    'links down to the content folder are named',
    VERIFY,
    {
      file: 'src/builder/verify.ts',
      replace: '    () => verifyPlace(contentFolder, output),',
      by: '',
    },
  ],
  [
    'links in place of folders of pictures are named',
    'test/unit/publisher/media.test.ts',
    {
      file: 'src/builder/verify-media.ts',
      replace: 'if (link !== null) {',
      by: 'if (link === input.media) {',
    },
  ],
  [
    'a full build looks for old sidecars',
    'test/unit/builder/precompress.test.ts',
    { file: 'src/builder/build-planned.ts', replace: '!isFullAsked && ', by: '' },
  ],
];

tryRows(ROWS);
