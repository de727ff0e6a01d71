// Reads a Dockerfile as its stages and instructions, and says what is wrong with it.

export type Instruction = { readonly name: string; readonly value: string };

export type Stage = {
  readonly image: string;
  /** `AS name`; empty without. */
  readonly name: string;
  readonly instructions: readonly Instruction[];
};

/** Comments and empty lines are left out; continued lines are one. */
const listInstructions = (text: string): Instruction[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => {
      const [name = '', ...rest] = line.split(' ');
      return { name, value: rest.join(' ').trim() };
    });

export const readStages = (text: string): Stage[] => {
  const stages: Stage[] = [];
  let instructions: Instruction[] = [];
  for (const { name, value } of listInstructions(text)) {
    if (name === 'FROM') {
      const [image = '', , stage = ''] = value.split(' ');
      instructions = [];
      stages.push({ image, name: stage, instructions });
    } else instructions.push({ name, value });
  }
  return stages;
};

/** Sources of a COPY that come from the project, and the stage that others come from. */
export const readCopy = (value: string) => {
  const words = value.split(' ');
  const flags = words.filter((word) => word.startsWith('--'));
  const paths = words.filter((word) => !word.startsWith('--'));
  const from = flags.find((flag) => flag.startsWith('--from='))?.slice('--from='.length) ?? null;
  return { from, sources: paths.slice(0, -1), target: paths.at(-1) ?? '' };
};

const KNOWN = new Set(
  'ARG CMD COPY ENTRYPOINT ENV EXPOSE HEALTHCHECK LABEL RUN STOPSIGNAL USER VOLUME WORKDIR'.split(
    ' ',
  ),
);

/** One sentence for each fault; `isThere` says whether the project has a path. */
export const findFaults = (text: string, isThere: (path: string) => boolean): string[] => {
  const stages = readStages(text);
  const all = stages.flatMap(({ instructions }) => instructions);
  const last = stages.at(-1)?.instructions ?? [];
  const has = (name: string): boolean => last.some((one) => one.name === name);
  const user = last.findLast(({ name }) => name === 'USER')?.value ?? 'root';
  const afterUser = last.slice(last.findLastIndex(({ name }) => name === 'USER') + 1);
  const copies = all.filter(({ name }) => name === 'COPY').map(({ value }) => readCopy(value));
  const names = new Set(stages.map(({ name }) => name));
  const health = last.find(({ name }) => name === 'HEALTHCHECK')?.value ?? '';
  const commands = last.filter(({ name }) => name === 'CMD' || name === 'ENTRYPOINT');
  return [
    ...all.filter(({ name }) => !KNOWN.has(name)).map(({ name }) => `${name} is not used here`),
    ...stages
      .filter(({ image }) => !/^[\w./-]+:(?!latest)[\w.-]+$/.test(image))
      .map(({ image }) => `the image ${image} names no version`),
    ...(stages.length < 2 ? ['there is one stage'] : []),
    ...(/^(?:root|0)(?::|$)/.test(user) ? ['the program runs as root'] : []),
    ...(afterUser.some(({ name }) => name === 'RUN') ? ['something is made after USER'] : []),
    ...(has('HEALTHCHECK') && /CMD \[/.test(health) ? [] : ['there is no health check']),
    ...(has('ENTRYPOINT') ? [] : ['there is no entry point']),
    ...commands
      .filter(({ value }) => !isList(value))
      .map(({ name }) => `${name} starts a shell, which takes the signals`),
    ...copies
      .filter(({ from }) => from !== null && !names.has(from))
      .map(({ from }) => `there is no stage ${from}`),
    ...copies
      .filter(({ from }) => from === null)
      .flatMap(({ sources }) => sources.filter((path) => !isThere(path)))
      .map((path) => `${path} is not there`),
    ...all
      .filter(({ name, value }) => name === 'ENV' && /KEY|SECRET|TOKEN|PASSWORD/i.test(value))
      .map(() => 'a secret is in the image'),
    ...all
      .filter(({ name, value }) => name === 'RUN' && /curl|wget|npm i(?:nstall)? -g/.test(value))
      .map(() => 'something else than the lock file decides what is installed'),
  ];
};

const isList = (value: string): boolean => {
  try {
    return Array.isArray(JSON.parse(value));
  } catch {
    return false;
  }
};
