// What was not edited is written as it was opened. Koenig fills in fields and drops others when it reads a document. A
// block that still gives the JSON that it gave right after opening was not edited: its stored form stands for it.
import type { DocumentNode, EditorDocument } from './document.ts';

export type KeptSource = {
  /** Called with what the editor gives until somebody edits. */
  readonly opened: (state: EditorDocument) => void;
  readonly write: (state: EditorDocument) => string;
};

export const keepSource = (text: string, stored: EditorDocument): KeptSource => {
  let whole: string | null = null;
  /** The stored blocks that give each JSON, in their order; null where they cannot be told apart. */
  let sources: ReadonlyMap<string, readonly DocumentNode[]> | null = null;
  return {
    opened: (state) => {
      whole = JSON.stringify(state);
      const { children } = state.root;
      const isWhole = children.length === stored.root.children.length;
      const blocks = Map.groupBy(stored.root.children.keys(), (at) => JSON.stringify(children[at]));
      sources = isWhole
        ? new Map([...blocks].map(([json, ats]) => [json, blocksAt(stored, ats)]))
        : null;
    },
    write: (state) => {
      if (JSON.stringify(state) === whole) return text;
      const taken = new Map<string, number>();
      const children = state.root.children.map((child) => {
        const json = JSON.stringify(child);
        const known = sources?.get(json) ?? [];
        const at = taken.get(json) ?? 0;
        taken.set(json, at + 1);
        return known[at] ?? known.at(-1) ?? child;
      });
      return JSON.stringify({ ...stored, root: { ...state.root, ...stored.root, children } });
    },
  };
};

const blocksAt = ({ root }: EditorDocument, ats: readonly number[]): DocumentNode[] =>
  ats.flatMap((at) => root.children[at] ?? []);
