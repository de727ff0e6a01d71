// The setting `deploy`: the places that every publish is carried to, each as one text or as an object with the options of
// `prepress deploy`. A text of the environment that begins with [ or { is JSON. No secret stands here: credentials come
// from the environment of the program that carries.

import { resolve } from 'node:path';
import * as z from 'zod';
import { isJsonObject, parseJson } from '../base/text/json-value.ts';
import { absoluteUrl, isHome, isPlainPath, NO_HOME, PLAIN_PATH } from './schemas.ts';

export type DeployPlace =
  | { readonly kind: 'dir'; readonly folder: string }
  | { readonly kind: 'exec'; readonly command: string }
  | { readonly kind: 's3'; readonly bucket: string; readonly prefix: string };

export type DeploySetting = {
  /** `dir:/path`, `s3://bucket/prefix` or `exec:COMMAND`. */
  readonly target: string;
  /** The others are of buckets alone. */
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  /** A CloudFront distribution. */
  readonly invalidate?: string | undefined;
};

const PLACES = 'target is dir:/path, s3://bucket/prefix or exec:COMMAND';

/** Shows a path, or how another text begins that names no place: what follows a scheme may hold a secret. */
const shownStart = (target: string): string => {
  if (/^\.{0,2}\/[\w./-]*$/.test(target)) return `; write the folder as dir:${target}`;
  if (target.startsWith('dir:~')) return `; the folder ${NO_HOME}`;
  // A login may stand there, and is not repeated.
  if (/^[\w.-]+@[\w.-]+:/.test(target))
    return '; for another machine write a command, as in exec:rsync -a output/ user@host:/srv/www';
  if (isSeveral(target))
    return '; write several as a list, as in PREPRESS_DEPLOY=\'["dir:/a", "dir:/b"]\'';
  if (/^(?:dir|exec):\s*$/.test(target)) return `, got "${target}" alone`;
  if (target.startsWith('s3:')) return shownBucket(target);
  if (/^[a-z]+(?:-[a-z]+)*$/i.test(target) && target.length <= 20) return `, got "${target}"`;
  const [scheme] = /^(?!dir:|s3:|exec:)[a-z0-9]{1,10}:/.exec(target) ?? [];
  return scheme === undefined ? '' : `; this one begins with "${scheme}"`;
};

/** What is wrong with a bucket: its slashes, its absence, or its name. */
const shownBucket = (target: string): string => {
  const [, slashes = '', name = ''] = /^s3:(\/*)(.*)$/s.exec(target) ?? [];
  if (name === '') return `, got "${target}" without a bucket`;
  if (slashes.length === 2) return '; a bucket has small letters, digits, "." and "-" in its name';
  if (slashes.length > 2) return '; this one has no bucket between "s3://" and the next "/"';
  const isShown = /^[a-z0-9][\w./-]*$/.test(name);
  return isShown ? `; write the bucket as s3://${name}` : '; "s3:" needs two slashes after it';
};

export const placesSentence = (target: string): string => `A ${PLACES}${shownStart(target)}.`;

/** Lists in other settings have commas. */
const SEVERAL = /[,; ] ?(?:dir|s3|exec):|[,;] ?\//;

const isSeveral = (target: string): boolean => !target.startsWith('exec:') && SEVERAL.test(target);

/** Null for a text that names no place. */
export const findDeployPlace = (target: string): DeployPlace | null => {
  const rest = target.slice(target.indexOf(':') + 1);
  if (isSeveral(target) || target.startsWith('dir:~')) return null;
  if (target.startsWith('dir:') && rest !== '') return { kind: 'dir', folder: resolve(rest) };
  if (target.startsWith('exec:') && rest.trim() !== '') return { kind: 'exec', command: rest };
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9.-]+)(?:\/(.*?))?\/?$/.exec(target) ?? [];
  return bucket === undefined ? null : { kind: 's3', bucket, prefix };
};

/** What a target is called in messages and logs: of a command only its program, since arguments may hold a secret. */
export const shownTarget = ({ target, endpoint }: DeploySetting): string => {
  if (!target.startsWith('exec:'))
    return endpoint === undefined ? target : `${target} at ${endpoint}`;
  const [program] = /^\s*[\w./-]+(?=\s|$)/.exec(target.slice('exec:'.length)) ?? [];
  return `exec:${program?.trim() ?? '...'}`;
};

/** The same for every spelling of one place. */
export const deployKey = ({ target, endpoint }: DeploySetting): string => {
  const place = findDeployPlace(target);
  return JSON.stringify([place?.kind === 'dir' ? place.folder : target, endpoint ?? null]);
};

/** The first that is given. */
export const nameBucketOption = (options: Omit<DeploySetting, 'target'>): string | null =>
  Object.entries(options).find(([, value]) => value !== undefined)?.[0] ?? null;

const text = z
  .string({ error: ({ input }) => (input === undefined ? 'is missing' : 'must be text') })
  .min(1, 'must not be empty');
const written = z.strictObject({
  target: text,
  endpoint: absoluteUrl.optional(),
  region: text.optional(),
  invalidate: text.regex(/^[A-Z0-9]+$/, 'must be the id of a CloudFront distribution').optional(),
});

/** The whole setting. Its messages name the target by its place in the list: its text may hold a secret. */
export const deployTargets = z
  .preprocess(
    (value) => listOf(value),
    z.array(z.unknown(), 'must be a target such as dir:/srv/site, or a list of targets'),
  )
  .transform((items, context): readonly DeploySetting[] => {
    const targets = items.flatMap((item, at): DeploySetting[] => {
      const read = written.safeParse(typeof item === 'string' ? { target: item } : item);
      const fault = read.success ? findFault(read.data) : shapeFault(read.error);
      if (fault === null && read.success) return [read.data];
      context.addIssue({ code: 'custom', message: `target ${at + 1} cannot be used: ${fault}` });
      return [];
    });
    const keys = targets.map(deployKey);
    const twice = keys.findIndex((key, at) => keys.indexOf(key) < at);
    if (twice !== -1) {
      context.addIssue({ code: 'custom', message: `target ${twice + 1} is named twice` });
    }
    return targets;
  });

/** The setting `media`: a folder, or the bucket as a target of its own. */
export const mediaPlace = z.unknown().transform((value, context): string | DeploySetting => {
  const [item] = typeof value === 'string' && value.trim() === '' ? [] : [listOf(value)].flat();
  if (typeof item === 'string' && !item.startsWith('s3:')) return readFolder(item, context);
  const read = written.safeParse(typeof item === 'string' ? { target: item } : item);
  const isBucket = read.success && findDeployPlace(read.data.target)?.kind === 's3';
  if (isBucket && read.data.invalidate === undefined) return read.data;
  const fault = read.success ? WHOLE_FAULT : shapeFault(read.error);
  const message = fault === WHOLE_FAULT ? MEDIA_FAULT : fault;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

const readFolder = (folder: string, context: z.RefinementCtx): string => {
  if (/^(?:dir:|exec:|\s*[[{])/.test(folder))
    context.addIssue({ code: 'custom', message: MEDIA_FAULT });
  else if (!isPlainPath(folder)) context.addIssue({ code: 'custom', message: PLAIN_PATH });
  else if (isHome(folder)) context.addIssue({ code: 'custom', message: NO_HOME });
  return folder;
};

const MEDIA_FAULT =
  'must be a folder, s3://bucket/prefix, or an object with such a target, its endpoint and region';

const listOf = (value: unknown): unknown => {
  if (typeof value !== 'string') return isJsonObject(value) ? [value] : value;
  if (!/^\s*[[{]/.test(value)) return value.trim() === '' ? [] : [value];
  const parsed = parseJson(value) ?? value;
  return isJsonObject(parsed) ? [parsed] : parsed;
};

const findFault = ({ target, ...options }: DeploySetting): string | null => {
  if (target.startsWith('dir:~')) return `it ${NO_HOME}`;
  // A command may have several lines.
  if (!isPlainPath(target.startsWith('exec:') ? target.replace(/[\n\t]/g, '') : target))
    return `it ${PLAIN_PATH}`;
  const place = findDeployPlace(target);
  if (place === null) return `a ${PLACES}${shownStart(target)}`;
  const option = nameBucketOption(options);
  if (place.kind === 's3' || option === null) return null;
  return `${option} is an option of buckets, and this is no s3:// target`;
};

const WHOLE_FAULT = 'it must be text such as dir:/srv/site, or an object with a target';

const shapeFault = (error: z.ZodError): string => {
  const wrongKey = error.issues.find(({ code }) => code === 'unrecognized_keys');
  const issue = wrongKey ?? error.issues[0];
  if (issue?.code === 'unrecognized_keys') {
    const known = Object.keys(written.shape).join(', ');
    return `${JSON.stringify(issue.keys[0])} is not a part of a target; its parts are ${known}`;
  }
  const place = issue?.path.join('.') ?? '';
  return place === '' ? WHOLE_FAULT : `${place} ${issue?.message}`;
};
