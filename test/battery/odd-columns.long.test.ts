// Each column takes every odd value, and a whole cycle of the publisher copes: clock, build, events. Also where another
// program made the tables again, without the schema's constraints.
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createId } from '../../src/base/ids.ts';
import { publishOnce } from '../../src/publish/cycle/publish-once.ts';
import { openManifest } from '../../src/publish/manifest/open-manifest.ts';
import { EVENT_NAMES } from '../../src/publish/webhooks/events/event-names.ts';
import { dataPathsOf } from '../../src/settings/data-paths.ts';
import {
  fillForOddColumns,
  mendOdd,
  ODD_TABLES,
  ODD_VALUES,
  type OddValue,
  setOdd,
} from '../helpers/odd-columns.ts';
import { createPublication, type Publication } from '../helpers/publication.ts';
import { buildInto, readTree, testConfig } from '../helpers/tree.ts';
import { sized } from './size.ts';

const subscribeToAll = ({ shell }: Publication): void => {
  const subscribe = shell.prepare(
    "INSERT INTO webhooks (id, event, target_url, secret_sealed, created_at) VALUES (?, ?, 'https://x.test/', x'00', 0)",
  );
  for (const event of EVENT_NAMES) subscribe.run(createId(), event);
};

/** As another program leaves a table that it made again: no CHECK, no key. */
const remakeTables = ({ shell }: Publication): void => {
  shell.pragma('foreign_keys = OFF');
  for (const table of ODD_TABLES) {
    shell.exec(`CREATE TABLE remade AS SELECT * FROM ${table}; DROP TABLE ${table};
      ALTER TABLE remade RENAME TO ${table}`);
  }
};

const createSite = async () => {
  const publication = await createPublication();
  const { folder, store } = publication;
  const config = testConfig({
    database: join(folder, 'publication.db'),
    output: join(folder, 'output'),
  });
  const paths = dataPathsOf(config);
  const manifest = openManifest(paths.manifest);
  onTestFinished(() => manifest.close());
  const deps = { config, paths, store, manifest, clock: { now: Date.now } };
  let clean = 0;
  const publish = async (options = {}): Promise<Map<string, string>> => {
    await publishOnce(deps, options);
    return readTree(paths.contentFolder);
  };
  const cleanTree = async (): Promise<Map<string, string>> => {
    clean += 1;
    const beside = join(folder, `clean-${clean}`);
    await buildInto(store, beside, { config });
    return readTree(join(beside, 'content'));
  };
  return { ...publication, publish, cleanTree };
};

const namesOfDiffering = (one: Map<string, string>, other: Map<string, string>): string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter(
    (name) => one.get(name) !== other.get(name),
  );

const ALL = Object.keys(ODD_VALUES) as OddValue[];
/** One value of a megabyte takes as long as ten others. */
const OF_SCHEMA = sized({ short: ALL.filter((name) => name !== 'many bytes'), long: ALL });
/** The short form takes those that a schema refuses most often, and none of a megabyte. */
const OF_REMADE = sized({
  short: ['real', 'null', 'no bytes', 'text with NUL', 'a word', 'its own bytes', 'deep JSON'],
  long: ALL,
} satisfies Record<string, OddValue[]>);

describe.each([
  ['of the schema', () => undefined, OF_SCHEMA],
  ['that were made again', remakeTables, OF_REMADE],
] as const)('each column of tables %s', (_, prepare, names) => {
  test.each(names)('takes %s', async (name) => {
    const site = await createSite();
    const { shell, publish, cleanTree } = site;
    subscribeToAll(site);
    const cells = fillForOddColumns(shell);
    prepare(site);
    const before = await publish();
    setOdd(shell, cells, ODD_VALUES[name]);
    const odd = await publish();
    expect(namesOfDiffering(odd, await cleanTree())).toEqual([]);
    expect(namesOfDiffering(await publish({ isFull: true }), odd)).toEqual([]);
    mendOdd(shell, cells);
    expect(namesOfDiffering(await publish(), before)).toEqual([]);
    expect(shell.prepare('SELECT count(*) FROM set_aside').pluck().get()).toBe(0);
  });
});
