// Makes a release: `npm run release -- 0.2.0`. It checks that main is checked out and clean, that the version is greater,
// that CHANGELOG.md speaks of it and that the repository is known, and runs the checks. Then it writes version, repository
// and bugs into package.json, names the new file in the documents, commits, tags and packs. It publishes and pushes
// nothing: the tag does, by .github/workflows/publish.yml.
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
export const findObstacle = (version, state) => {
  const { current, changelog, changes, tags, branch, repository } = state;
  if (!/^\d+\.\d+\.\d+$/.test(version)) return `"${version}" is not a version such as 0.2.0.`;
  if (branch !== 'main') return `A release is made on main, and this is "${branch}".`;
  if (changes !== '') return `The working copy has changes: commit them first.\n${changes}`;
  if (tags.includes(`v${version}`)) return `The tag v${version} already exists.`;
  const order = (text) =>
    text
      .split('.')
      .map((part) => part.padStart(6, '0'))
      .join('.');
  // The first release has the version that package.json began with.
  const released = tags.filter((tag) => /^v\d+\.\d+\.\d+$/.test(tag)).map((tag) => tag.slice(1));
  const newer = [...released, current].find((one) => order(one) > order(version));
  if (newer !== undefined) return `${version} is not greater than ${newer}.`;
  const [, entry] = changelog.split(`\n## ${version}\n`);
  if (entry === undefined)
    return `CHANGELOG.md has no heading "## ${version}": rename its newest one.`;
  if (!entry.trimStart().startsWith('- '))
    return `CHANGELOG.md says nothing below "## ${version}".`;
  if (repository === undefined)
    return 'The repository is not known: clone from its host, or set "repository" in package.json.';
  return null;
};

const run = (program, ...args) => {
  execFileSync(program, args, { cwd: ROOT, stdio: 'inherit' });
};
const read = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();

/** The documents install the packed file by its name. */
const renamePackedFile = ({ name, version: current }, version) => {
  const [old, renamed] = [current, version].map((one) => `${name}-${one}.tgz`);
  for (const path of read('grep', '-lF', old).split('\n')) {
    const text = readFileSync(join(ROOT, path), 'utf8');
    writeFileSync(join(ROOT, path), text.replaceAll(old, renamed));
  }
};

/** The README of a package stands where its page is no address to clone from. */
export const withRepository = (text, { url }) =>
  text
    .replace('git clone ADDRESS prepress', `git clone ${url.replace(/^git\+/, '')} prepress`)
    .replace(', replacing ADDRESS with the address of this page', '');

const release = (version) => {
  const file = join(ROOT, 'package.json');
  const facts = JSON.parse(readFileSync(file, 'utf8'));
  const remote = read('config', '--default', '', '--get', 'remote.origin.url');
  const { repository, bugs } = hostedFields(remote) ?? facts;
  const obstacle = findObstacle(version, {
    repository,
    current: facts.version,
    changelog: readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'),
    changes: read('status', '--porcelain'),
    tags: read('tag').split('\n'),
    branch: read('branch', '--show-current'),
  });
  if (obstacle !== null) throw new Error(obstacle);
  run('npm', 'run', 'check');
  renamePackedFile(facts, version);
  const readme = join(ROOT, 'README.md');
  writeFileSync(readme, withRepository(readFileSync(readme, 'utf8'), repository));
  writeFileSync(file, `${JSON.stringify({ ...facts, version, repository, bugs }, null, 2)}\n`);
  run('npm', 'install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund');
  run('git', 'commit', '--all', '--message', `Release ${version}`);
  run('git', 'tag', '--annotate', `v${version}`, '--message', `Version ${version}`);
  run('npm', 'pack');
  console.log(
    'Next: git push --follow-tags. The workflow "publish" sends the tag to npm, with provenance.',
  );
  console.log(`Without it: npm publish prepress-content-${version}.tgz`);
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    release(process.argv[2] ?? '');
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
