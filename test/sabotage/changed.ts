// Which files differ from a revision, by their content alone: a file that was moved is not changed.
import { spawnSync } from 'node:child_process';

const git = (root: string, args: readonly string[], input = ''): string => {
  const { status, stdout, stderr } = spawnSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    input,
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout;
};

/** The newest commit that is older than a day; the first one where none is. */
export const findDefaultRevision = (root: string): string => {
  const older = git(root, ['rev-list', '-1', '--before=1 day ago', 'HEAD']).trim();
  return older || (git(root, ['rev-list', '--max-parents=0', 'HEAD']).trim().split('\n')[0] ?? '');
};

/** Those of the files whose content is nowhere in the revision. */
export const findChanged = (
  root: string,
  revision: string,
  files: readonly string[],
): ReadonlySet<string> => {
  const listed = git(root, ['ls-tree', '-r', '--format=%(objectname)', revision]);
  const known = new Set(listed.split('\n'));
  const hashes = git(root, ['hash-object', '--stdin-paths'], files.join('\n')).split('\n');
  return new Set(files.filter((_, at) => !known.has(hashes[at] ?? '')));
};
