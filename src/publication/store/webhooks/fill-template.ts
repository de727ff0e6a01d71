// Fills in the body template of a webhook, as a value that is then written as JSON: nothing that is put in can end a text or add
// a key. A text that is one placeholder becomes its value, of whatever type; beside other text a value becomes text.

/** A JSON object with placeholders in its texts. */
export type Template = Readonly<Record<string, unknown>>;

export const PLACEHOLDER = /\{\{ ?([a-z_]+(?:\.[a-z0-9_]+)*) ?\}\}/g;
const WHOLE = /^\{\{ ?([a-z_]+(?:\.[a-z0-9_]+)*) ?\}\}$/;

/** The text to sign and send. */
export const fillTemplate = (template: Template, values: unknown): string =>
  JSON.stringify(fill(template, values));

const fill = (value: unknown, values: unknown): unknown => {
  if (typeof value === 'string') return fillText(value, values);
  if (Array.isArray(value)) return value.map((one) => fill(one, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one, values)]));
};

const fillText = (text: string, values: unknown): unknown => {
  const [, whole] = WHOLE.exec(text) ?? [];
  if (whole !== undefined) return find(values, whole);
  return text.replaceAll(PLACEHOLDER, (_, name: string) => asText(find(values, name)));
};

const asText = (value: unknown): string => {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** Null for what is not there. */
const find = (values: unknown, name: string): unknown => {
  let value = values;
  for (const key of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null;
    value = (value as Record<string, unknown>)[key];
  }
  return value ?? null;
};
