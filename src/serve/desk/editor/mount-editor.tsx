// Ghost's editor of posts, mounted into an element of the desk. React lives in this folder alone, which the desk loads
// when a post is opened.
/** @jsxImportSource react */
import {
  DEFAULT_NODES,
  type EditorApi,
  KoenigComposer,
  KoenigEditor,
} from '@tryghost/koenig-lexical';
import style from '@tryghost/koenig-lexical/dist/style.css';
import { Component, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { type EditorDocument, parseDocument } from './document.ts';
import { guardPage } from './guard-page.ts';
import { keepSource } from './keep-source.ts';
import { guardNodes, KeptNode, restoreNodes } from './unknown-nodes.ts';
import { fileUploader, type Upload } from './uploads.ts';

export type EditorOptions = {
  /** A document as JSON text. */
  readonly lexical: string;
  /** What the cards ask of the desk, as Koenig's cardConfig. */
  readonly cards: object;
  readonly upload: Upload;
  /** Called at each edit; the text is the one that was given when every edit is undone. */
  readonly onChange: (lexical: string) => void;
  /** The cursor left the first line upwards. */
  readonly onLeave: () => void;
  /** With a sentence: nothing can be edited, and nothing is reported. */
  readonly onBroken: (words: string) => void;
};

/** The editor can do these, but nothing here sends mail or knows Transistor. Where a document has one, it is shown. */
const HIDDEN = new Set(['email', 'email-cta', 'transistor']);

const NODES = [...DEFAULT_NODES, KeptNode];

export const mountEditor = (place: HTMLElement, options: EditorOptions): (() => void) => {
  const stored = parseDocument(options.lexical);
  if (stored === null) {
    options.onBroken(UNREADABLE);
    return () => undefined;
  }
  addStyle();
  for (const node of DEFAULT_NODES) {
    if ('getType' in node && HIDDEN.has(node.getType())) node.kgMenu = [];
  }
  const state = { isReady: false, isTouched: false, isBroken: false, reported: options.lexical };
  const source = keepSource(options.lexical, stored);
  const root = createRoot(place);
  const uploader = fileUploader(options.upload);
  const initial = JSON.stringify(guardNodes(stored));
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const fail = (error: unknown): void => {
    console.error(error);
    // Once it is open, Lexical takes an update that fails back.
    if (state.isReady || state.isBroken) return;
    state.isBroken = true;
    options.onBroken(UNREADABLE);
    queueMicrotask(() => root.render(null));
  };
  const report = (given: unknown): void => {
    if (state.isBroken || !state.isReady) return;
    const restored = restoreNodes(given as EditorDocument);
    if (!state.isTouched) {
      source.opened(restored);
      return;
    }
    const lexical = source.write(restored);
    if (lexical === state.reported) return;
    state.reported = lexical;
    options.onChange(lexical);
  };
  const register = (api: EditorApi | null): void => {
    if (api === null || state.isBroken) return;
    const { editorInstance } = api;
    place.addEventListener('click', ({ target }) => {
      // Below the text.
      if (target !== place) return;
      if (api.lastNodeIsDecorator()) api.insertParagraphAtBottom();
      api.focusEditor({ position: 'bottom' });
    });
    editorInstance.getRootElement()?.setAttribute('aria-label', 'Body of the post');
    state.isReady = true;
    source.opened(restoreNodes(editorInstance.getEditorState().toJSON() as EditorDocument));
  };
  const draw = (): void =>
    root.render(
      <Boundary onError={fail}>
        <KoenigComposer
          initialEditorState={initial}
          nodes={NODES}
          cardConfig={options.cards}
          darkMode={dark.matches}
          fileUploader={uploader}
          isTKEnabled={false}
          onError={fail}
        >
          <KoenigEditor
            darkMode={dark.matches}
            placeholderText="Begin writing your post…"
            cursorDidExitAtTop={options.onLeave}
            onChange={report}
            registerAPI={register}
          />
        </KoenigComposer>
      </Boundary>,
    );
  const ends = [
    guardPage(),
    listen(document, TOUCHES, (event) => {
      state.isTouched ||= isEdit(event, place);
    }),
    listen(dark, ['change'], draw),
  ];
  place.addEventListener('keydown', keepForm);
  draw();
  return () => {
    root.unmount();
    for (const end of ends) end();
  };
};

const UNREADABLE =
  'The stored text is not a document that the editor can read. It is kept as it is.';

const addStyle = (): void => {
  if (document.getElementById('koenig-style') !== null) return;
  const element = document.createElement('style');
  element.id = 'koenig-style';
  element.nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
  element.textContent = style;
  document.head.append(element);
};

/**
 * Koenig changes a document by itself while it opens it, and reports each change: what it gives before somebody touches
 * the editor, or one of its menus outside of the desk's own elements, is the document as it was opened.
 */
const TOUCHES = ['pointerdown', 'keydown', 'beforeinput', 'paste', 'cut', 'drop'];
const MOVES = ['Tab', 'Shift', 'Control', 'Alt', 'Meta'];

const isEdit = (event: Event, place: HTMLElement): boolean => {
  if (event instanceof KeyboardEvent && MOVES.includes(event.key)) return false;
  const { target } = event;
  return (
    target instanceof Node &&
    (place.contains(target) || document.getElementById('desk')?.contains(target) !== true)
  );
};

/** Within a form, Enter in a field of a card (an alt text, an address) would go on to the form's next field. */
const keepForm = (event: KeyboardEvent): void => {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
};

const listen = (
  target: EventTarget,
  types: readonly string[],
  listener: (event: Event) => void,
): (() => void) => {
  for (const type of types) target.addEventListener(type, listener, true);
  return () => {
    for (const type of types) target.removeEventListener(type, listener, true);
  };
};

type BoundaryProps = { readonly onError: (error: unknown) => void; readonly children: ReactNode };

class Boundary extends Component<BoundaryProps, { readonly isFailed: boolean }> {
  override state = { isFailed: false };
  static getDerivedStateFromError(): { isFailed: boolean } {
    return { isFailed: true };
  }
  override componentDidCatch(error: unknown): void {
    this.props.onError(error);
  }
  override render(): ReactNode {
    return this.state.isFailed ? null : this.props.children;
  }
}
