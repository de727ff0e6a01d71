// Values of JSON that anybody may have written.

export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Undefined for what is no JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const parseJsonObject = (text: string): Record<string, unknown> | null => {
  const value = parseJson(text);
  return isJsonObject(value) ? value : null;
};
