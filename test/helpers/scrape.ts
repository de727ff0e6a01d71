// Reads metrics in Prometheus's text form strictly: what does not fit the form is thrown. `Nan` is what a mean of nothing is.
export type Scrape = {
  /** Type of each metric by its name. */
  readonly types: ReadonlyMap<string, string>;
  /** Value of a sample, by its name and labels as they are written; undefined: there is none. */
  readonly value: (sample: string) => number | undefined;
  readonly names: readonly string[];
};

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{(?:[a-zA-Z_]\w*="[^"\\\n]*",?)+\})? (\S+)$/;

export const parseScrape = (text: string): Scrape => {
  const [types, helps, values] = [new Map<string, string>(), new Set<string>(), new Map()];
  if (!text.endsWith('\n')) throw new Error('The last line has no end.');
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (kind === 'HELP') helps.add(name);
    else if (kind === 'TYPE') types.set(name, rest);
    else {
      const [, sample = '', labels = '', value] = SAMPLE.exec(line) ?? [];
      const family = sample.replace(/_(?:bucket|sum|count)$/, '');
      if (!types.has(sample) && !types.has(family)) throw new Error(`Not a sample: ${line}`);
      if (value !== 'Nan' && Number.isNaN(Number(value))) throw new Error(`Not a number: ${line}`);
      values.set(`${sample}${labels}`, Number(value));
    }
  }
  for (const name of types.keys()) if (!helps.has(name)) throw new Error(`${name} has no help.`);
  return { types, names: [...types.keys()], value: (sample) => values.get(sample) };
};
