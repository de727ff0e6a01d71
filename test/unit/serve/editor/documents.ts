// Editor documents for tests, as small as they can be.
export const lexicalOf = (...children: readonly unknown[]): string =>
  JSON.stringify({
    root: { children, direction: null, format: '', indent: 0, type: 'root', version: 1 },
  });

export const paragraph = (...children: readonly unknown[]): object => ({
  children,
  direction: 'ltr',
  format: '',
  indent: 0,
  type: 'paragraph',
  version: 1,
});

export const words = (text: string, format = 0): object => ({
  detail: 0,
  format,
  mode: 'normal',
  style: '',
  text,
  type: 'extended-text',
  version: 1,
});

export const link = (url: string, text: string): object => ({
  children: [words(text)],
  direction: 'ltr',
  format: '',
  indent: 0,
  type: 'link',
  rel: null,
  target: null,
  title: null,
  url,
  version: 1,
});

export const mobiledocOf = (text: string, cards: readonly unknown[] = []): string =>
  JSON.stringify({
    version: '0.3.1',
    atoms: [],
    cards,
    markups: [],
    sections: [[1, 'p', [[0, [], 0, text]]], ...cards.map((_card, at) => [10, at])],
  });
