// The parts of Ghost's editor that the desk uses; the package declares no types.
declare module '@tryghost/koenig-lexical' {
  import type { ComponentType, ReactNode } from 'react';

  type MenuItem = { readonly label: string };
  export type NodeClass = {
    new (...given: never[]): object;
    readonly prototype: object;
    getType(): string;
    kgMenu?: MenuItem | readonly MenuItem[];
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

  export const KoenigComposer: ComponentType<{
    readonly initialEditorState?: string | undefined;
    readonly nodes: readonly unknown[];
    readonly cardConfig: object;
    readonly darkMode: boolean;
    readonly fileUploader: object;
    readonly isTKEnabled: boolean;
    readonly onError: (error: unknown) => void;
    readonly children: ReactNode;
  }>;
  export const KoenigEditor: ComponentType<{
    readonly darkMode: boolean;
    readonly placeholderText: string;
    readonly onChange: (state: unknown) => void;
    readonly registerAPI: (api: EditorApi | null) => void;
    readonly cursorDidExitAtTop: () => void;
  }>;
}
