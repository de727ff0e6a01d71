// Names the settings that two builds do not have in common, with both values.

type Settings = Readonly<Record<string, unknown>>;

export const listDifferences = (
  there: Settings,
  here: Settings,
  names: readonly string[] = Object.keys(here),
): string[] =>
  names
    .filter((name) => JSON.stringify(here[name]) !== JSON.stringify(there[name]))
    .map((name) => `${name} is ${show(there[name])} there and ${show(here[name])} here`);

const show = (value: unknown): string =>
  value === null || value === undefined ? 'not set' : JSON.stringify(value);
