// JSON Schemas of zod schemas for OpenAPI documents, and an example of each made from the schema itself.
import * as z from 'zod';

export type JsonSchema = { readonly [key: string]: unknown };

/** `io`: what clients may send, or what answers hold. */
export const toJsonSchema = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
};

/** A value that fits the schema: its first example or choice, else the plainest value of its type. */
export const exampleOf = (schema: JsonSchema): unknown => {
  const { examples, enum: choices, anyOf, type } = schema;
  if (Array.isArray(examples)) return examples[0];
  if ('const' in schema) return schema.const;
  if (Array.isArray(choices)) return choices[0];
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0] as JsonSchema);
  switch (type) {
    case 'object': {
      const properties = (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
      return Object.fromEntries(
        Object.entries(properties).map(([key, property]) => [key, exampleOf(property)]),
      );
    }
    case 'array':
      return [exampleOf((schema.items ?? {}) as JsonSchema)];
    case 'integer':
    case 'number':
      return Math.max(1, Number(schema.minimum ?? 1));
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return 'text';
  }
};

export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

export const withExample = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  examples: [exampleOf(schema)],
});

export const objectOf = (
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema => ({
  type: 'object',
  required: Object.keys(properties).filter((key) => !optional.includes(key)),
  properties,
  additionalProperties: false,
});

export const jsonResponse = (description: string, schema: JsonSchema): JsonSchema => ({
  description,
  content: { 'application/json': { schema } },
});
