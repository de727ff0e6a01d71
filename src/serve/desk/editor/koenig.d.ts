// The parts of Ghost's editor that the desk uses; the package declares no types.
declare module '@tryghost/koenig-lexical' {
  import type { ComponentType, ReactNode } from 'react';

  export type NodeClass = {
    new (key?: string): object;
    readonly prototype: { readonly src?: unknown; exportJSON(): object };
    getType(): string;
  };
  export const DEFAULT_NODES: readonly (NodeClass | { readonly replace: NodeClass })[];

  export type EditorApi = {
    readonly editorInstance: {
      getEditorState(): { toJSON(): unknown };
      getRootElement(): HTMLElement | null;
    };
    lastNodeIsDecorator(): boolean;
    insertParagraphAtBottom(): void;
    focusEditor(options: { readonly position: 'top' | 'bottom' }): void;
  };

  type Props = Readonly<Record<string, unknown>> & { readonly children?: ReactNode };

  export const KoenigComposer: ComponentType<Props>;
  export const KoenigEditor: ComponentType<Props>;
}
