// Makes the elements of the editor's own controls.

type Attributes = Readonly<Record<string, string>>;

export const make = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

export const makeButton = (
  words: string,
  act: () => void,
  attributes: Attributes = {},
): HTMLButtonElement => {
  const button = make('button', { type: 'button', ...attributes }, words);
  button.addEventListener('click', act);
  return button;
};
