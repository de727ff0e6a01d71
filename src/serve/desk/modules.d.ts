// What is imported and declares no types: styles, which the bundle takes out, and of Ghost's editor the parts that are used
// and its style, which is a text in its chunk.
declare module '*.css';
declare module '@tryghost/koenig-lexical/dist/style.css' {
  const style: string;
  export default style;
}
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
