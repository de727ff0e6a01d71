// An editor document as JSON.
export type DocumentNode = {
  readonly type: string;
  readonly children?: readonly DocumentNode[];
  readonly [field: string]: unknown;
};

export type EditorDocument = {
  readonly root: DocumentNode & { children: readonly DocumentNode[] };
};

/** Null for a text that is no document: it is shown to nobody, and never saved over. */
export const parseDocument = (text: string): EditorDocument | null => {
  try {
    const document: unknown = JSON.parse(text);
    const { root } = Object(document) as { readonly root?: unknown };
    return isNode(root) && Array.isArray(root.children) ? (document as EditorDocument) : null;
  } catch (error) {
    // Too deep, or no JSON.
    if (error instanceof SyntaxError || error instanceof RangeError) return null;
    throw error;
  }
};

const isNode = (value: unknown): value is DocumentNode => {
  const { type, children } = Object(value) as Readonly<Record<string, unknown>>;
  return (
    typeof type === 'string' &&
    (children === undefined || (Array.isArray(children) && children.every(isNode)))
  );
};
