// Makes a release: `npm run release -- 0.2.0`. It checks that the tree is clean and CHANGELOG.md speaks of the version, runs
// the checks, writes version, repository and bugs into package.json, commits, tags and packs. It publishes and pushes nothing.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(import.meta.dirname, '..');

/** `git@host:a/b.git` and `https://host/a/b.git` as the two fields; null for a path on this machine. */
export const hostedFields = (remote) => {
  const [, host, path] =
    /^(?:git@|ssh:\/\/git@|https:\/\/)([\w.-]+\.[a-z]+)[:/]([\w./-]+?)(?:\.git)?$/.exec(remote) ??
    [];
  if (path === undefined) return null;
  const page = `https://${host}/${path}`;
  return { repository: { type: 'git', url: `git+${page}.git` }, bugs: `${page}/issues` };
};

/** Why this version cannot be released; null when it can. `state` is what the working copy holds. */
export const findObstacle = (version, { current, changelog, changes, tags }) => {
  if (!/^\d+\.\d+\.\d+$/.test(version)) return `"${version}" is no version such as 0.2.0.`;
  if (changes !== '') return 'The working copy has changes: commit them first.';
  if (tags.includes(`v${version}`)) return `The tag v${version} exists already.`;
  const order = (text) =>
    text
      .split('.')
      .map((part) => part.padStart(6, '0'))
      .join('.');
  if (order(version) < order(current)) return `${version} is older than ${current}.`;
  if (!changelog.includes(`\n## ${version}\n`))
    return `CHANGELOG.md has no heading "## ${version}".`;
  return null;
};

const run = (program, ...args) => {
  execFileSync(program, args, { cwd: ROOT, stdio: 'inherit' });
};
const read = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();

const release = (version) => {
  const file = join(ROOT, 'package.json');
  const facts = JSON.parse(readFileSync(file, 'utf8'));
  const obstacle = findObstacle(version, {
    current: facts.version,
    changelog: readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'),
    changes: read('status', '--porcelain'),
    tags: read('tag').split('\n'),
  });
  if (obstacle !== null) throw new Error(obstacle);
  run('npm', 'run', 'check');
  const remote = read('config', '--default', '', '--get', 'remote.origin.url');
  const { repository, bugs } = hostedFields(remote) ?? facts;
  writeFileSync(file, `${JSON.stringify({ ...facts, version, repository, bugs }, null, 2)}\n`);
  run('npm', 'install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund');
  run('git', 'commit', '--all', '--message', `Release ${version}`);
  run('git', 'tag', '--annotate', `v${version}`, '--message', `Version ${version}`);
  run('npm', 'pack');
  console.log(`Next: git push --follow-tags, then npm publish prepress-content-${version}.tgz`);
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    release(process.argv[2] ?? '');
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
