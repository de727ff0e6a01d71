// The declarations of the client: the text of its types, with its records written out from the schemas of the interface.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '..');

/** As TypeScript writes it. */
const typeOf = ({ type, anyOf, enum: choices, items, ...schema }) => {
  if (anyOf) return anyOf.map(typeOf).join(' | ');
  if (choices) return choices.map((choice) => JSON.stringify(choice)).join(' | ');
  if (Array.isArray(type))
    return type.map((one) => typeOf({ type: one, items, ...schema })).join(' | ');
  if (type === 'array') return `(${typeOf(items)})[]`;
  if (type === 'object') return objectOf(schema);
  return (
    { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' }[
      type
    ] ?? 'unknown'
  );
};

const objectOf = ({ properties = {}, required = [], additionalProperties }) => {
  const keys = Object.entries(properties).map(
    ([key, schema]) => `readonly ${key}${required.includes(key) ? '' : '?'}: ${typeOf(schema)};`,
  );
  const others = additionalProperties === false ? [] : ['readonly [key: string]: unknown;'];
  return `{ ${[...keys, ...others].join(' ')} }`;
};

/** One file that imports nothing. */
export const clientTypes = async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { CLIENT_RECORDS } from './src/content/contract/client-records.ts';
export { toJsonSchema } from './src/content/contract/openapi/json-schema.ts';`,
      resolveDir: ROOT,
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  });
  const code = Buffer.from(outputFiles[0].contents).toString('base64');
  const { CLIENT_RECORDS, toJsonSchema } = await import(`data:text/javascript;base64,${code}`);
  const shapes = Object.entries(CLIENT_RECORDS).map(([shape, records]) => {
    const types = Object.entries(records).map(
      ([name, schema]) => `  readonly ${name}: ${typeOf(toJsonSchema(schema, 'output'))};`,
    );
    return `  readonly ${shape}: {\n${types.join('\n')}\n  };`;
  });
  const records = `type ClientRecords = {\n${shapes.join('\n')}\n};`;
  const text = readFileSync(join(ROOT, 'src/content/client/types.ts'), 'utf8');
  return `${text.replace(/^import type \{ ClientRecords \}.*$/m, records)}
export declare const openContent: OpenContent;
`;
};
