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
import { hereOf } from '../ui/here.ts';
import { cleanPaste } from './clean-paste.ts';
import { type EditorDocument, parseDocument } from './document.ts';
import { takeDrops } from './drop.ts';
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
  /** It failed while somebody wrote: what was reported last can be opened anew. */
  readonly onCrash: () => void;
  /** With a sentence: something that was put in is not there. */
  readonly onFault: (words: string) => void;
};

const sheet = new CSSStyleSheet();
sheet.replaceSync(style);
guardPage();

const LABEL = 'Body of the post';

const NODES = [...DEFAULT_NODES, KeptNode];

export const mountEditor = (place: HTMLElement, options: EditorOptions): (() => void) => {
  const stored = parseDocument(options.lexical);
  if (stored === null) {
    options.onBroken(UNREADABLE);
    return () => undefined;
  }
  document.adoptedStyleSheets = [sheet];
  const state = { isReady: false, isTouched: false, isBroken: false, reported: options.lexical };
  const gone = new AbortController();
  const live = { signal: gone.signal, capture: true };
  const source = keepSource(options.lexical, stored);
  const root = createRoot(place);
  const uploader = fileUploader(options.upload, options.onFault);
  const initial = JSON.stringify(guardNodes(stored));
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const fail = (error: unknown): void => {
    console.error(error);
    if (state.isBroken) return;
    state.isBroken = true;
    if (state.isReady) options.onCrash();
    else options.onBroken(UNREADABLE);
    queueMicrotask(() => root.render(null));
  };
  const report = (given: unknown): void => {
    if (state.isBroken || !state.isReady) return;
    const restored = restoreNodes(given as EditorDocument);
    if (!state.isTouched) source.opened(restored);
    const lexical = state.isTouched ? source.write(restored) : state.reported;
    if (lexical === state.reported) return;
    state.reported = lexical;
    options.onChange(lexical);
  };
  const register = (api: EditorApi | null): void => {
    if (api === null || state.isBroken) return;
    const { editorInstance } = api;
    const text = editorInstance.getRootElement();
    const goBelow = (): void => {
      if (api.lastNodeIsDecorator()) api.insertParagraphAtBottom();
      api.focusEditor({ position: 'bottom' });
    };
    place.addEventListener('click', ({ target }) => target === place && goBelow(), live);
    text?.setAttribute('aria-label', LABEL);
    if (text) takeDrops(place, { text, goBelow }, gone.signal);
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
          // Once it is open, Lexical takes an update that fails back.
          onError={(error: unknown) => (state.isReady ? console.error(error) : fail(error))}
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
  const touch = (event: Event): void => {
    state.isTouched ||= isEdit(event, place);
  };
  for (const type of TOUCHES) document.addEventListener(type, touch, live);
  const tell = (event: PromiseRejectionEvent): void => {
    // Koenig measures pictures and their colours, and does not look whether that fails.
    const picture = event.reason instanceof Event ? event.reason.target : null;
    const isSize = picture instanceof HTMLImageElement;
    if (isSize || String(event.reason).includes('FastAverageColor')) event.preventDefault();
    const isNew = isSize && picture.src.startsWith('blob:');
    if (isNew) options.onFault('The picture cannot be read. Use a format that browsers show.');
  };
  addEventListener('unhandledrejection', tell, live);
  dark.addEventListener('change', draw, live);
  for (const type of ['paste', 'keydown', 'beforeinput', 'compositionstart'])
    place.addEventListener(type, leaveCard, live);
  place.addEventListener('error', showHere, live);
  place.addEventListener('click', keepFocus, { signal: gone.signal });
  place.addEventListener('paste', (event) => cleanPaste(event, options.onFault), live);
  draw();
  return () => {
    root.unmount();
    gone.abort();
  };
};

const UNREADABLE =
  'The stored text is not a document that the editor can read. It is kept as it is.';

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

/**
 * While a card is selected, Koenig pastes nothing, and puts most of what is typed at the beginning of the text. A field of the card that is open takes what is typed; all else stands in a paragraph below it, which Enter makes.
 */
const leaveCard = (event: Event): void => {
  const isInput = event instanceof InputEvent;
  const isKey = event instanceof KeyboardEvent;
  if (isInput ? event.inputType !== 'insertText' : isKey && !isTyping(event)) return;
  const root = document.activeElement;
  const card = root?.ariaLabel === LABEL ? root.querySelector(SELECTED) : null;
  const field = event.type !== 'paste' ? card?.querySelector<HTMLElement>(FIELD) : null;
  const enter = { key: 'Enter', keyCode: 13, bubbles: true };
  if (field) field.focus();
  else if (card) root?.dispatchEvent(new KeyboardEvent('keydown', enter));
  if (field?.isContentEditable) document.getSelection()?.collapse(field, field.childNodes.length);
  if (card === null || !isInput) return;
  // No key came before it, as from a picker of emoji: the browser would put it where the cursor was.
  event.preventDefault();
  event.stopPropagation();
  setTimeout(() => document.execCommand('insertText', false, event.data ?? ''));
};

/** Some keyboards type their signs with Alt, or with AltGr, which is Ctrl and Alt. Several keys may make one sign. */
const isTyping = (event: KeyboardEvent): boolean => {
  const { key, metaKey, ctrlKey, altKey } = event;
  if (key.length > 1 || metaKey) return ['Dead', 'Process', 'Unidentified'].includes(key);
  if (event.getModifierState('AltGraph')) return true;
  return !ctrlKey && !(altKey && /^[a-z0-9]$/i.test(key));
};

const SELECTED = '[data-kg-card-selected="true"]';
const FIELD =
  ':is([data-kg-card-editing="true"] input:is([type="text"], :not([type])), [data-testid$="-url"], figcaption [data-lexical-editor])';

/** Koenig takes the focus from the field of an address that is clicked. */
const keepFocus = ({ target }: MouseEvent): void => {
  if (target instanceof HTMLInputElement && target.matches(FIELD)) target.focus();
};

/** A picture that the public site does not have yet. */
const showHere = (event: Event): void => {
  const { target: picture } = event;
  if (!(picture instanceof HTMLImageElement)) return;
  const here = hereOf(picture.src);
  if (here === null || picture.src === location.origin + here) return;
  // A card would take it away.
  event.stopPropagation();
  picture.src = here;
};

type BoundaryProps = { readonly onError: (error: unknown) => void; readonly children: ReactNode };

class Boundary extends Component<BoundaryProps> {
  override componentDidCatch(error: unknown): void {
    this.props.onError(error);
  }
  override render(): ReactNode {
    return this.props.children;
  }
}
