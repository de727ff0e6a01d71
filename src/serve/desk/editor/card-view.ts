// How a card looks in the editor: its name, what it says, buttons that move and delete it, and for an image
// the image with its alternative text and caption. Keys pressed within it are not the editor's.

import { $getNodeByKey, type LexicalEditor, type NodeKey } from 'lexical';
import { placeValues, replaceMembers } from '../../../base/text/json-places.ts';
import { $moveBlock, $removeBlock } from './blocks.ts';
import { describeCard, type Fields, fieldsOf } from './card-texts.ts';
import { make, makeButton } from './elements.ts';

type Shown = {
  readonly getKey: () => NodeKey;
  readonly __text: string;
  readonly getText: () => string;
  readonly setText: (text: string) => void;
};

/** The editor acts on these wherever they happen within it. */
const KEPT_EVENTS = [
  'keydown',
  'beforeinput',
  'input',
  'paste',
  'cut',
  'copy',
  'drop',
  'dragstart',
];

const isOwnControl = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('button, input') !== null;

export const createCardView = (card: Shown, editor: LexicalEditor): HTMLElement => {
  const fields = fieldsOf(card.__text);
  const { type, name } = describeCard(fields);
  const content = make('div', { class: 'editor-card-content' });
  const figure = make(
    'figure',
    { class: 'editor-card', 'data-card': type, 'aria-label': `${name} card` },
    barOf(card.getKey(), name, editor),
    content,
  );
  if (type === 'image') content.append(...imageParts(card.getKey(), fields, editor));
  for (const event of KEPT_EVENTS) {
    figure.addEventListener(event, (one) => {
      if (isOwnControl(one.target)) one.stopPropagation();
    });
  }
  updateCardView(figure, card.__text);
  return figure;
};

const barOf = (key: NodeKey, name: string, editor: LexicalEditor): HTMLElement => {
  const label = name.toLowerCase();
  const button = (sign: string, words: string, act: () => void): HTMLButtonElement =>
    makeButton(sign, () => editor.update(act), { 'aria-label': words });
  return make(
    'div',
    { class: 'editor-card-bar' },
    make('span', {}, name),
    button('↑', `Move ${label} up`, () => $moveBlock(key, 'up')),
    button('↓', `Move ${label} down`, () => $moveBlock(key, 'down')),
    button('✕', `Delete ${label}`, () => $removeBlock(key)),
  );
};

const imageParts = (key: NodeKey, fields: Fields, editor: LexicalEditor): HTMLElement[] => {
  // What Ghost stores for the address of the publication itself.
  const src = String(fields.src ?? '').replace(/^__GHOST_URL__/, '');
  return [
    make('img', { src, alt: String(fields.alt ?? '') }),
    fieldOf('alt', 'Alternative text', (value) => setMember({ key, editor }, 'alt', value)),
    fieldOf('caption', 'Caption', (value) => setMember({ key, editor }, 'caption', value)),
  ];
};

const fieldOf = (name: string, label: string, set: (value: string) => void): HTMLElement => {
  const input = make('input', { type: 'text', name, autocomplete: 'off' });
  input.addEventListener('input', () => set(input.value));
  return make('label', {}, make('span', {}, label), input);
};

type Place = { readonly key: NodeKey; readonly editor: LexicalEditor };

/** All else in the card's text stays as it is. */
const setMember = ({ key, editor }: Place, name: string, value: string): void => {
  editor.update(() => {
    const card = $getNodeByKey(key) as unknown as Shown | null;
    if (card === null) return;
    const text = card.getText();
    card.setText(replaceMembers(text, placeValues(text), { [name]: JSON.stringify(value) }));
  });
};

export const updateCardView = (figure: HTMLElement, text: string): void => {
  const fields = fieldsOf(text);
  const content = figure.querySelector<HTMLElement>('.editor-card-content');
  if (content === null) return;
  if (fields.type === 'image') {
    for (const input of content.querySelectorAll('input')) {
      const value = String(fields[input.name] ?? '');
      if (input.value !== value) input.value = value;
    }
    content.querySelector('img')?.setAttribute('alt', String(fields.alt ?? ''));
  } else {
    content.textContent = describeCard(fields).summary;
  }
};
