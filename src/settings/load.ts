// Reads the settings once: flags before environment before prepress.config.json before defaults. The
// only reader of the environment.
import * as z from 'zod';
import { PrepressError } from '../base/errors.ts';
import { findNearestName } from '../base/text/nearest-name.ts';
import { hasPassword } from './database-address.ts';
import { ENVIRONMENT_PREFIX, environmentName } from './environment-name.ts';
import { deployFaults, placeFaults } from './places.ts';
import { type Config, SETTING_NAMES, SETTINGS, type SettingName } from './settings.ts';
import { CONFIG_FILE, readSettingsFile, type SettingsFile } from './settings-file.ts';

export type LoadOptions = {
  readonly flags?: Readonly<Partial<Record<SettingName, unknown>>>;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Path of the file; a file that was named must exist. */
  readonly file?: string | undefined;
};

type Problem = { readonly property: string; readonly sentence: string };

type Schemas = { readonly [N in SettingName]: (typeof SETTINGS)[N]['schema'] };

const schemas = Object.fromEntries(SETTING_NAMES.map((name) => [name, SETTINGS[name].schema]));
const configSchema = z.object(schemas as Schemas).readonly();

/** Throws CONFIG_INVALID, which names every setting at fault and where it came from. */
export const loadConfig = (options: LoadOptions = {}): Config => {
  const environment = options.environment ?? process.env;
  const file = readSettingsFile(options.file);
  const problems: Problem[] = [...unknownInFile(file), ...unknownVariables(environment)];
  if (hasPassword(options.flags?.database)) problems.push(PASSWORD_SHOWN);
  const settings = SETTING_NAMES.map((name) => {
    const variable = environmentName(name);
    const old = FORMER_NAMES.get(name) ?? name;
    const sources: [string, unknown][] = [
      [flagName(name), options.flags?.[name]],
      [variable, withoutQuotes(environment[variable])],
      [environmentName(old), withoutQuotes(environment[environmentName(old)])],
      [options.file ?? CONFIG_FILE, file.values.get(name) ?? file.values.get(old)],
    ];
    const [source, value] = sources.find(([, found]) => found !== undefined) ?? ['', undefined];
    return { name, source, value };
  });
  const read = configSchema.safeParse(
    Object.fromEntries(settings.map(({ name, value }) => [name, value])),
  );
  for (const { name, source, value } of settings) {
    const issue = read.error?.issues.find(({ path }) => path[0] === name);
    if (issue === undefined) continue;
    const isNamed = itemsOf(value).some((one) => issue.message.includes(`"${one}"`));
    const shown = isNamed ? '' : shownValue(name, value);
    const sentence = `Setting ${name} (${source}): ${issue.message}${shown}.`;
    problems.push({ property: name, sentence });
  }
  throwIfAny(problems);
  if (!read.success) throw read.error;
  warnOfFormerNames(file, environment);
  const config = read.data;
  throwIfAny(placeFaults(config).map((sentence) => ({ property: 'output', sentence })));
  throwIfAny(deployFaults(config).map((sentence) => ({ property: 'deploy', sentence })));
  throwIfAny(siteUrlFaults(config).map((sentence) => ({ property: 'siteUrl', sentence })));
  return config;
};

/** Unlike a shell and systemd, Docker keeps the quotation marks of a file of variables. */
const withoutQuotes = (value: string | undefined): string | undefined =>
  value?.replace(/^"([^"]*)"$|^'([^']*)'$/, '$1$2');

/** What a message may name of a value: a text of the environment lists several. */
const itemsOf = (value: unknown): unknown[] =>
  typeof value === 'string'
    ? [value, ...value.split(',').map((one) => one.trim())]
    : [value].flat();

/** HTML pages lie below basePath, and their links begin with the path of siteUrl. */
const siteUrlFaults = ({ site, siteUrl, basePath }: Config): string[] =>
  site === true && siteUrl !== undefined && !siteUrl.endsWith(basePath)
    ? [
        `Setting siteUrl: with HTML pages ("site": true) it must end with basePath, such as ${siteUrl}${basePath}, got "${siteUrl}".`,
      ]
    : [];

/** Settings that had another name, which is still read. */
const FORMER_NAMES: ReadonlyMap<SettingName, string> = new Map([['otherQueries', 'undeclared']]);

const warnOfFormerNames = (
  { values }: SettingsFile,
  environment: NonNullable<LoadOptions['environment']>,
): void => {
  for (const [name, old] of FORMER_NAMES) {
    if (!values.has(old) && environment[environmentName(old)] === undefined) continue;
    const sentence = `The setting ${old} is called ${name} now; the next version will not read the old name.`;
    process.stderr.write(`prepress: ${sentence}\n`);
  }
};

const PASSWORD_SHOWN: Problem = {
  property: 'database',
  sentence: `Setting database (--database): every user of this machine can read a password on a command line; set it in ${environmentName('database')} or in ${CONFIG_FILE}.`,
};

const throwIfAny = (problems: readonly Problem[]): void => {
  const [first, ...more] = problems;
  if (first === undefined) return;
  if (more.length === 0) {
    throw new PrepressError('CONFIG_INVALID', first.sentence, { property: first.property });
  }
  const details = problems.map(({ sentence }) => ({ sentence }));
  const message = `${problems.length} settings cannot be used.`;
  throw new PrepressError('CONFIG_INVALID', message, {
    property: first.property,
    details,
    hint: 'Correct the settings and try again.',
  });
};

/** The option of a setting on the command line: `siteUrl` is --site-url. */
const flagName = (name: SettingName): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const isFormer = (name: string): boolean => [...FORMER_NAMES.values()].includes(name);

const unknownInFile = ({ path, values }: SettingsFile): Problem[] =>
  [...values.keys()]
    .filter((name) => !Object.hasOwn(SETTINGS, name) && !isFormer(name))
    .map((name) => {
      const shown = JSON.stringify(name);
      const sentence = `${path} names a setting that does not exist: ${shown}${hintAt(name)}`;
      return { property: name, sentence };
    });

/** What the tests of Prepress read themselves, and what Kubernetes sets for a service of that name. */
const OTHERS =
  /^PREPRESS_(?:TEST_[A-Z_]+|BATTERY|SEED|KILLS|EVENTS|SERVICE_[A-Z_]+|PORT_\d[A-Z\d_]*)$/;

const unknownVariables = (environment: NonNullable<LoadOptions['environment']>): Problem[] => {
  const known = new Set([...SETTING_NAMES, ...FORMER_NAMES.values()].map(environmentName));
  return Object.keys(environment)
    .filter((variable) => variable.startsWith(ENVIRONMENT_PREFIX) && !known.has(variable))
    .filter((variable) => !OTHERS.test(variable))
    .map((variable) => {
      const name = variable.slice(ENVIRONMENT_PREFIX.length);
      const sentence = `The variable ${variable} belongs to no setting${hintAt(name, environmentName)}`;
      return { property: variable, sentence };
    });
};

/** What declared queries are for is done where they are asked. */
const NO_QUERIES =
  '. Queries need no files: the client prepress-content/client and hosts that run code answer them all; for other hosts name a companion server in otherQueries.';

/** A limit of one resource's lists, as settings or variables spell it. */
const LIST_LIMIT = /^lists[._](?:posts|pages|tags|authors)[._]limit$/i;

/** Settings in the database that a file is asked for, too. */
const OF_PUBLICATION = /^(?:title|description|timezone|locale|navigation|logo|icon|cover_?image)$/i;

/** What ends the sentence about a setting that does not exist. */
const hintAt = (name: string, nameOf = (setting: string): string => setting): string => {
  if (/^queries(?:[.]|$)/i.test(name)) return NO_QUERIES;
  if (LIST_LIMIT.test(name)) return `. ${nameOf('lists.max')} limits all lists.`;
  const whole = SETTING_NAMES.find((known) => name.startsWith(`${known}.`));
  if (whole !== undefined) return `. docs/settings.md shows how ${whole} is written.`;
  const near = findNearestName(name, SETTING_NAMES);
  if (near !== null) return `. Did you mean ${nameOf(near)}?`;
  return OF_PUBLICATION.test(name)
    ? '. It is a setting of the publication: change it at the desk.'
    : '. docs/settings.md lists the settings.';
};

const SHOWN_UNITS_MAX = 80;

/** A password or an e-mail address is never shown. */
const shownValue = (name: SettingName, value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  const isAddress = name === 'database' && text.includes('://');
  const isHidden = SETTINGS[name].isSecret && typeof value !== 'boolean';
  if (isHidden || isAddress || text.includes('@')) return '';
  const isLong = text.length > SHOWN_UNITS_MAX;
  return `, got ${isLong ? `${text.slice(0, SHOWN_UNITS_MAX)}...` : text}`;
};
