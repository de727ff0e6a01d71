// Runs the steps of the Dockerfile in folders that are changed into: a Debian made by debootstrap with the named Node.js and
// npm stands for the image that the stages begin with. It needs root, and no program of containers.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import {
  type Instruction,
  readCopy,
  readStages,
  type Stage,
} from '../unit/packaging/dockerfile.ts';

export type Image = {
  /** The folder that is the image's `/`. */
  readonly root: string;
  readonly workdir: string;
  readonly user: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  /** ENTRYPOINT and CMD. */
  readonly command: readonly string[];
  readonly health: readonly string[];
};

type Context = {
  /** The folder with the Dockerfile. */
  readonly project: string;
  /** Where the stages are made. */
  readonly folder: string;
  /** The program that stands for the image's Node.js. */
  readonly node: string;
};

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const USER = 'node';
/** Those of the machine that npm and the name service need. */
const OF_MACHINE = ['/etc/resolv.conf', '/etc/hosts', '/etc/ssl/certs/ca-certificates.crt'];

export const buildImage = (dockerfile: string, context: Context): Image => {
  const base = join(context.folder, 'base');
  makeBase(base, context.node);
  const made = new Map<string, Image>();
  let image: Image | null = null;
  for (const stage of readStages(dockerfile)) {
    const root = join(context.folder, `stage-${made.size}`);
    // It has devices, which Node.js does not copy.
    execFileSync('cp', ['-a', base, root]);
    image = runStage(stage, { root, made, project: context.project });
    made.set(stage.name, image);
  }
  rmSync(base, { recursive: true, force: true });
  if (image === null) throw new Error('The Dockerfile has no stage.');
  return image;
};

const makeBase = (base: string, node: string): void => {
  execFileSync('debootstrap', ['--variant=minbase', 'bookworm', base], { stdio: 'pipe' });
  const program = join(base, 'usr/local/bin/node');
  cpSync(node, program);
  chmodSync(program, 0o755);
  const npm = dirname(dirname(realpathSync(which('npm'))));
  cpSync(npm, join(base, 'usr/local/lib/node_modules/npm'), { recursive: true, dereference: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(base, 'usr/local/bin/npm'));
  for (const path of OF_MACHINE.filter(existsSync)) {
    mkdirSync(join(base, dirname(path)), { recursive: true });
    cpSync(realpathSync(path), join(base, path));
  }
  const npmrc = join(homedir(), '.npmrc');
  if (existsSync(npmrc)) cpSync(npmrc, join(base, 'root/.npmrc'));
  run(base, ['useradd', '--create-home', '--uid', '1000', USER]);
};

const which = (name: string): string =>
  execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();

const run = (
  root: string,
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): void => {
  const env = { PATH, HOME: '/root', NODE_EXTRA_CA_CERTS: OF_MACHINE[2], ...environment };
  try {
    execFileSync('chroot', [root, ...command], { env, stdio: 'pipe', maxBuffer: 1e9 });
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: Buffer; stderr?: Buffer };
    throw new Error(`${command.join(' ')} failed: ${stdout}${stderr}`, { cause: error });
  }
};

type Making = {
  readonly root: string;
  readonly project: string;
  readonly made: ReadonlyMap<string, Image>;
};

const runStage = (stage: Stage, making: Making): Image =>
  stage.instructions.reduce<Image>((image, one) => runInstruction(image, one, making), {
    root: making.root,
    ...{ workdir: '/', user: 'root', environment: {}, volumes: [], command: [], health: [] },
  });

const runInstruction = (image: Image, { name, value }: Instruction, making: Making): Image => {
  switch (name) {
    case 'WORKDIR':
      mkdirSync(join(image.root, value), { recursive: true });
      return { ...image, workdir: value };
    case 'ENV': {
      const pairs = value.split(' ').map((pair) => pair.split('=') as [string, string]);
      return { ...image, environment: { ...image.environment, ...Object.fromEntries(pairs) } };
    }
    case 'COPY':
      copy(image, value, making);
      return image;
    case 'RUN':
      run(image.root, ['sh', '-c', `cd ${image.workdir} && ${value}`], image.environment);
      return image;
    case 'USER':
      return { ...image, user: value };
    case 'VOLUME':
      return { ...image, volumes: asList(value) };
    case 'ENTRYPOINT':
    case 'CMD':
      return { ...image, command: [...image.command, ...asList(value)] };
    case 'HEALTHCHECK':
      return { ...image, health: asList(value.slice(value.indexOf('CMD ') + 4)) };
    case 'EXPOSE':
      return image;
    default:
      throw new Error(`${name} is not run here.`);
  }
};

const asList = (text: string): string[] => JSON.parse(text) as string[];

/** As COPY does: the content of a folder, and a file into a folder that ends with a slash. */
const copy = (image: Image, value: string, { project, made }: Making): void => {
  const { from, sources, target } = readCopy(value);
  const origin = from === null ? project : made.get(from)?.root;
  if (origin === undefined) throw new Error(`There is no stage ${from}.`);
  const place = join(image.root, target.startsWith('/') ? '/' : image.workdir, target);
  for (const source of sources) {
    const path = join(origin, source);
    const isInto = target.endsWith('/') && !statSync(path).isDirectory();
    const options = { recursive: true, verbatimSymlinks: true };
    cpSync(path, isInto ? join(place, basename(path)) : place, options);
  }
};

/** The command line that runs `command` as the image's user, with nothing writable but the volumes and /tmp. */
export const inContainer = (
  image: Image,
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): string[] => {
  const { root, volumes } = image;
  const given = { PATH, HOME: `/home/${USER}`, ...image.environment, ...environment };
  const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
  const words = Object.entries(given).map(([name, value]) => `${name}=${value}`);
  // A volume begins with what the image has at its place.
  const lines = [
    `mount --bind ${root} ${root}`,
    ...volumes.map((path) => `mount --bind ${root}${path} ${root}${path}`),
    `mount -t proc proc ${root}/proc`,
    `mount -t tmpfs tmpfs ${root}/tmp`,
    `mount -o remount,ro,bind ${root}`,
    `exec chroot --userspec=${image.user}:${image.user} ${root} /bin/sh -c ${quoted(
      `cd ${image.workdir} && exec env -i ${[...words, ...command].map(quoted).join(' ')}`,
    )}`,
  ];
  return ['unshare', '--mount', 'sh', '-e', '-c', lines.join('\n')];
};

/** What the program may not have written: files of the image outside its volumes that are younger than the time. */
export const findWritten = ({ root, workdir }: Image, sinceMs: number): string[] =>
  readdirSync(join(root, workdir)).filter(
    (name) =>
      statSync(join(root, workdir, name)).mtimeMs > sinceMs &&
      !['data', 'output', 'media'].includes(name),
  );
