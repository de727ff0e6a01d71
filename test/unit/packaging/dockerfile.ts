// Reads a Dockerfile as its stages and instructions.

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
