// Runs blocks of the documents as a reader would, one bash for a page, in folders of the test's own. `npx prepress` and
// `npm start` are the built command; what needs a network, an account or the rights of root is written down instead.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { temporaryFolder } from './temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Programs that are not what they are called. */
const STOOD_IN = [
  ...['npm', 'npx', 'sudo', 'curl', 'git', 'stop'],
  ...['apt-get', 'aws', 'chown', 'docker', 'systemctl', 'nginx', 'useradd'],
];

/** A command that goes on is left at work until the next such one begins, or `stop` ends it. */
const STAND_IN = `#!/bin/bash
name=\${0##*/}
record() { printf '%s\\n' "$name $*" >> "$DOCS_STATE/calls"; }
stop() {
  [ -f "$DOCS_STATE/pid" ] || return 0
  kill "$(cat "$DOCS_STATE/pid")" 2> /dev/null
  while kill -0 "$(cat "$DOCS_STATE/pid")" 2> /dev/null; do sleep 0.05; done
  rm "$DOCS_STATE/pid"
}
# Where there is a tree, it is served as soon as the addresses are told; else the first build is waited for.
is_ready() {
  grep -qE 'first build is done|stop with Ctrl-C|"published"' "$DOCS_STATE/log" && return 0
  [ -e "$DOCS_STATE/tree" ] && grep -q '^Secrets' "$DOCS_STATE/log"
}
go_on() {
  stop
  rm -f "$DOCS_STATE/tree"
  [ ! -e output/content/manifest.json ] || touch "$DOCS_STATE/tree"
  # Emptied before it is asked, since the program that starts may open it after that.
  : > "$DOCS_STATE/log"
  node "$DOCS_COMMAND" "$@" >> "$DOCS_STATE/log" 2>&1 &
  echo $! > "$DOCS_STATE/pid"
  until is_ready; do
    kill -0 $! 2> /dev/null || { cat "$DOCS_STATE/log" >&2; exit 1; }
    sleep 0.05
  done
}
prepress() {
  case "$1 $*" in
    *--help*) ;;
    serve*|watch*) go_on "$@"; return ;;
    follow*) case "$*" in *--once*|*--detach*|*--compare*) ;; *) go_on "$@"; return ;; esac ;;
    deploy*s3:*) record "prepress $*"; return ;;
  esac
  node "$DOCS_COMMAND" "$@"
}
install() {
  for word in "$@"; do case "$word" in
    *.tgz) [ -f "$word" ] || { echo "$word is not there" >&2; exit 1; } ;;
  esac; done
  mkdir -p node_modules
  for package in @11ty @tryghost prepress-content; do
    from="$DOCS_REPOSITORY/node_modules/$package"
    [ "$package" = prepress-content ] && from="$DOCS_REPOSITORY"
    ln -sfn "$from" "node_modules/$package"
  done
}
case "$name $1" in
  'npx prepress') [ -e node_modules/prepress-content ] || { echo "$PWD is no project" >&2; exit 1; }
    shift; prepress "$@" ;;
  'npm start') script=$(node -p "JSON.parse(fs.readFileSync('package.json')).scripts.start") || exit 1
    shift; [ "$1" = -- ] && shift
    words=\${script#node dist/prepress.js }; prepress \${words#prepress } "$@" ;;
  'npm run') node -e "process.exit(JSON.parse(fs.readFileSync(process.argv[1])).scripts[process.argv[2]] ? 0 : 1)" \\
    "$DOCS_REPOSITORY/package.json" "$2" && record "$@" ;;
  'npm init') [ -f package.json ] || echo '{}' > package.json ;;
  'npm install') install "$@" ;;
  'npm pack') touch ~/prepress-content-0.1.0.tgz ;;
  'git push') record "$@" ;;
  git*) PATH=$DOCS_PATH exec git -c user.name=x -c user.email=x@example.com "$@" ;;
  sudo*) [ "$1" = -E ] && shift; exec "$@" ;;
  curl*) case "$*" in
      *"$DOCS_SELF"*) PATH=$DOCS_PATH exec curl -fsS "$@" ;;
      *) record "$@" ;;
    esac ;;
  stop*) stop ;;
  *) record "$@" ;;
esac
`;

export type DocumentShell = {
  /** Stands for `/`. */
  readonly root: string;
  /** Runs lines of bash until one fails; throws with what was printed. Returns what it printed. */
  readonly run: (lines: string, environment: Readonly<Record<string, string>>) => Promise<string>;
  /** Calls of what stands in for other programs, with their arguments. */
  readonly calls: () => string[];
};

/** `self` is the part of an address that is the server's own. */
export const openDocumentShell = (self: string): DocumentShell => {
  const root = temporaryFolder();
  const folders = ['bin', 'docs', 'home', 'srv', 'backups', 'etc/caddy', 'etc/nginx/conf.d'];
  for (const name of folders) mkdirSync(join(root, name), { recursive: true });
  writeFileSync(join(root, 'bin/stand-in'), STAND_IN);
  chmodSync(join(root, 'bin/stand-in'), 0o755);
  for (const name of STOOD_IN) symlinkSync('stand-in', join(root, 'bin', name));
  writeFileSync(join(root, 'home/prepress-content-0.1.0.tgz'), '');
  writeFileSync(join(root, 'docs/calls'), '');
  const path = `${dirname(process.execPath)}:/usr/bin:/bin`;
  const base = {
    PATH: `${join(root, 'bin')}:${path}`,
    HOME: join(root, 'home'),
    USER: 'reader',
    DOCS_STATE: join(root, 'docs'),
    DOCS_SELF: self,
    DOCS_PATH: path,
    DOCS_REPOSITORY: ROOT,
    DOCS_COMMAND: join(ROOT, 'dist/prepress.js'),
  };
  return {
    root,
    run: async (lines, environment) => {
      const child = spawn('bash', ['-e', '-u', '-o', 'pipefail', '-c', lines], {
        cwd: root,
        env: { ...base, ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const [stdout, stderr, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close') as Promise<[number | null]>,
      ]);
      if (code !== 0) throw new Error(`It ended with ${code}:\n${stdout}${stderr}`);
      return stdout;
    },
    calls: () => readFileSync(join(root, 'docs/calls'), 'utf8').trim().split('\n'),
  };
};
