// What was not edited is written back byte for byte, whatever it is and whatever is edited beside it.
import fc from 'fast-check';
import { $getRoot, type ElementNode, type LexicalEditor, type TextNode } from 'lexical';
import { describe, expect, test } from 'vitest';
import { $moveBlock, $removeBlock } from '../../../../../src/serve/desk/editor/blocks.ts';
import { createPostEditor } from '../../../../../src/serve/desk/editor/create-post-editor.ts';
import {
  type OpenDocument,
  openDocument,
} from '../../../../../src/serve/desk/editor/open-document.ts';
import { $writeDocument } from '../../../../../src/serve/desk/editor/write-document.ts';
import { everyCard, ghostPosts, madeDocument, PLAIN, wrap } from './documents.ts';

const fail = (error: Error): never => {
  throw error;
};

type Opened = { readonly editor: LexicalEditor; readonly opened: OpenDocument };

const open = (text: string): Opened => {
  const editor = createPostEditor(fail);
  const opened = openDocument(editor, text);
  if (opened === null) throw new Error(`Not opened: ${text}`);
  return { editor, opened };
};

const write = ({ editor, opened }: Opened): string =>
  editor.getEditorState().read(() => $writeDocument(opened));

const edit = ({ editor }: Opened, act: (blocks: ElementNode[]) => void): void =>
  editor.update(() => act($getRoot().getChildren<ElementNode>()), { discrete: true });

/** Edits the first text of a block. */
const setText = (opened: Opened, at: number, words: string): void =>
  edit(opened, (blocks) => {
    const text = blocks[at]?.getFirstDescendant<TextNode>();
    text?.setTextContent(words);
  });

describe('a document that was not edited', () => {
  test('is the same text, whatever stands in it', () => {
    fc.assert(
      fc.property(madeDocument, ({ text }) => {
        expect(write(open(text))).toBe(text);
      }),
    );
  });

  test('is the same text when an edit is taken back', () => {
    const opened = open(wrap([PLAIN, PLAIN]));
    setText(opened, 0, 'other');
    expect(write(opened)).not.toBe(opened.opened.text);
    setText(opened, 0, 'plain');
    expect(write(opened)).toBe(opened.opened.text);
  });

  test.each(['', 'null', '{"root":', '{"root":{}}', '{"root":{"children":[1]}}', '[]'])(
    'is not opened when it is none: %s',
    (text) => expect(openDocument(createPostEditor(fail), text)).toBeNull(),
  );
});

describe('when one paragraph is edited', () => {
  test('all other blocks stay byte for byte', () => {
    fc.assert(
      fc.property(madeDocument, fc.string({ minLength: 1 }), ({ text, blocks, at }, words) => {
        const opened = open(text);
        setText(opened, at, `${words}!`);
        const expected = PLAIN.replace('"plain"', () => JSON.stringify(`${words}!`));
        const now = blocks.with(at, expected).join(',');
        const start = text.indexOf('[');
        const end = text.lastIndexOf(']') + 1;
        expect(write(opened)).toBe(`${text.slice(0, start)}[${now}]${text.slice(end)}`);
      }),
    );
  });

  test('the other items of its list stay, and what is unknown in the item', () => {
    const first =
      '{ "children":[{"text":"a","type":"text"}], "type":"listitem","value":1,"odd":0.10}';
    const second = '{"type" : "listitem","children":[{"type":"text","text":"b"}],"value":2}';
    const list = `{"children":[${first},${second}],"listType":"number","type":"list","tag":"ol","x":{}}`;
    const opened = open(wrap([list]));
    setText(opened, 0, 'c');
    expect(write(opened)).toContain(list.replace('"a"', '"c"'));
  });

  test('texts that became one are written whole', () => {
    const texts = ['{"type":"text","text":"a"}', '{"type":"text","text":"b"}'];
    const link = '{"type":"link","url":"/","children":[{"type":"text","text":"x"}]}';
    const opened = open(wrap([`{"type":"paragraph","children":[${texts},${link}]}`]));
    edit(opened, ([block]) => {
      (block?.getLastDescendant<TextNode>() ?? fail(new Error('No text'))).setTextContent('y');
    });
    expect(write(opened)).toContain('"ab"');
    expect(write(opened)).toContain(link.replace('"x"', '"y"'));
  });

  test('blocks that are moved or stand beside a deleted one stay', () => {
    const cards = ['{"type":"html", "html":"1"}', '{"type":"toggle","x":1.50}', PLAIN];
    const opened = open(wrap(cards));
    edit(opened, ([first]) => $moveBlock(first?.getKey() ?? '', 'down'));
    expect(write(opened)).toContain(`[${cards[1]},${cards[0]},${cards[2]}]`);
    edit(opened, ([first]) => $removeBlock(first?.getKey() ?? ''));
    expect(write(opened)).toContain(`[${cards[0]},${cards[2]}]`);
  });

  test("every card of Ghost's stays", () => {
    const cards = everyCard();
    expect(cards.length).toBeGreaterThan(25);
    const opened = open(wrap([...cards, PLAIN]));
    expect(write(opened)).toBe(opened.opened.text);
    setText(opened, cards.length, 'other');
    expect(write(opened)).toContain(`[${cards.join(',')},${PLAIN.replace('plain', 'other')}]`);
  });
});

test.runIf(ghostPosts().length > 0)("each post of a Ghost's export is the same text", () => {
  for (const text of ghostPosts()) expect(write(open(text))).toBe(text);
});
