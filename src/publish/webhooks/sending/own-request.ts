// What is sent of a delivery: its event's text, or the webhook's template filled in with it; and what may be kept of an answer,
// which may say again what only the receiver was to know.
import * as z from 'zod';
import { PAYLOAD_BYTES_MAX } from '../../../base/limits.ts';
import { parseStored } from '../../../base/stored-json.ts';
import { fillTemplate } from '../../../publication/store/webhooks/fill-template.ts';
import type { OwnRequest } from '../../../publication/store/webhooks/webhook-requests.ts';

export type TemplateSite = { readonly title: string; readonly url: string };

type Filled = {
  readonly payload: string;
  readonly template: NonNullable<OwnRequest['body']>;
  readonly id: string;
  readonly site: TemplateSite;
};

type Json = Readonly<Record<string, unknown>>;

/** The text to sign and send; null when it is longer than a body may be. */
export const fillBody = ({ payload, template, id, site }: Filled): string | null => {
  const event: Json = parseStored(z.looseObject({}), payload, 'The text of a delivery');
  const [root] = ROOTS.filter((name) => event[name] !== undefined);
  const record = root === undefined ? {} : shownRecord(event[root] as Shown);
  const values = {
    ...event,
    ...(root !== undefined && { [root]: record }),
    id,
    site,
    title: record.title ?? record.name ?? site.title,
    url: record.url ?? site.url,
  };
  const text = fillTemplate(template, values);
  return Buffer.byteLength(text) > PAYLOAD_BYTES_MAX ? null : text;
};

const ROOTS = ['post', 'page', 'tag', 'member'] as const;

type Shown = { readonly current: Json; readonly previous: Json };

/** As it is; what was removed, as it was. */
const shownRecord = ({ current, previous }: Shown): Json =>
  current.id === undefined ? previous : current;

/** Shorter words are no secrets, and stand in any answer. */
const SECRET_LENGTH_MIN = 8;

/** The answer, unless it repeats the beginning of a word of the webhook's own headers or template. */
export const keepAnswer = (answer: string | null, { headers, body }: OwnRequest): string | null => {
  if (answer === null) return null;
  const words = [...Object.values(headers), ...textsOf(body)].flatMap((text) => text.split(' '));
  const isRepeated = words.some(
    (word) => word.length >= SECRET_LENGTH_MIN && answer.includes(word.slice(0, SECRET_LENGTH_MIN)),
  );
  return isRepeated ? null : answer;
};

const textsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return value.startsWith('{{') ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
};
