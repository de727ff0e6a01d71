// Judges the body template of a webhook when it is saved: a JSON object of bounded size, in whose texts placeholders such as
// `{{post.title}}` stand for what the webhook's event has.
import {
  TEMPLATE_CHARACTERS_MAX,
  TEMPLATE_DEPTH_MAX,
  TEMPLATE_PLACEHOLDERS_MAX,
} from '../../base/limits.ts';
import { findNearestName } from '../../base/text/nearest-name.ts';
import { PLACEHOLDER, type Template } from '../../publication/store/webhooks/fill-template.ts';
import { adminPageSchema, adminPostSchema, tagSchema } from './content-records.ts';
import { readMemberSchema } from './member.ts';

const SHOWN_LENGTH = 40;

/** Names that stand for a value at every event; of events that do not have it, null. */
const PLAIN = 'event generation id title url site.title site.url all addresses tags'.split(' ');

const FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['post', Object.keys(adminPostSchema.shape)],
  ['page', Object.keys(adminPageSchema.shape)],
  ['tag', Object.keys(tagSchema.shape)],
  ['member', Object.keys(readMemberSchema.shape)],
]);

/** What is wrong with the template of a webhook for this event, in a sentence; null when nothing is. */
export const findTemplateFault = (template: Template, event: string): string | null => {
  if (JSON.stringify(template).length > TEMPLATE_CHARACTERS_MAX)
    return `body must not be longer than ${TEMPLATE_CHARACTERS_MAX} characters.`;
  const texts: string[] = [];
  const structure = collectTexts(template, texts, 0);
  if (structure !== null) return structure;
  const names = texts.flatMap((text) => [...text.matchAll(PLACEHOLDER)].map(([, name]) => name));
  if (names.length > TEMPLATE_PLACEHOLDERS_MAX)
    return `body must not hold more than ${TEMPLATE_PLACEHOLDERS_MAX} placeholders.`;
  const broken = texts.map((text) => text.replaceAll(PLACEHOLDER, '')).find(hasBraces);
  if (broken !== undefined) {
    const shown = broken.slice(broken.indexOf('{{')).slice(0, SHOWN_LENGTH);
    return `body holds ${JSON.stringify(shown)}, which is no placeholder such as {{post.title}}.`;
  }
  return (
    names.map((name = '') => findNameFault(name, event)).find((fault) => fault !== null) ?? null
  );
};

const hasBraces = (text: string): boolean => text.includes('{{');

const collectTexts = (value: unknown, texts: string[], depth: number): string | null => {
  if (typeof value === 'string') texts.push(value);
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= TEMPLATE_DEPTH_MAX)
    return `body must not be nested deeper than ${TEMPLATE_DEPTH_MAX}.`;
  if (Object.keys(value).some(hasBraces))
    return 'body has a placeholder in a name; placeholders stand in values.';
  for (const inner of Object.values(value)) {
    const fault = collectTexts(inner, texts, depth + 1);
    if (fault !== null) return fault;
  }
  return null;
};

const findNameFault = (name: string, event: string): string | null => {
  if (PLAIN.includes(name)) return null;
  const [root = '', field] = name.split('.');
  const fields = FIELDS.get(root);
  if (fields === undefined) return unknownName(name, [...PLAIN, ...FIELDS.keys()]);
  if (root !== event.split('.')[0])
    return `body holds {{${name}}}, and ${event} has no ${root}; {{title}} and {{url}} go with every event.`;
  if (field === undefined || fields.includes(field)) return null;
  return unknownName(
    name,
    fields.map((one) => `${root}.${one}`),
  );
};

const unknownName = (name: string, known: readonly string[]): string => {
  const near = findNearestName(name, known);
  const meant = near === null ? '' : ` Did you mean {{${near}}}?`;
  return `There is no placeholder {{${name}}}.${meant}`;
};
