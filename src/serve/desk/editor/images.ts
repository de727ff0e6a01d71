// Images that are dropped, pasted or chosen: each is uploaded, and becomes a card when the server has it.

import { DRAG_DROP_PASTE } from '@lexical/rich-text';
import { COMMAND_PRIORITY_LOW, type LexicalEditor, type NodeKey } from 'lexical';
import { $insertBlock, $selectedBlock } from './blocks.ts';
import { $createCardNode } from './card-node.ts';
import { imageCard } from './card-texts.ts';
import { make } from './elements.ts';

export type UploadImage = (file: File) => Promise<{ url: string }>;

type Images = { readonly choose: () => void; readonly destroy: () => void };

export const registerImages = (
  editor: LexicalEditor,
  uploadImage: UploadImage,
  say: (words: string) => void,
): Images => {
  let isOpen = true;

  /** A file that cannot be uploaded hinders none of the others. */
  const place = async (file: File, afterKey: NodeKey | null): Promise<NodeKey | null> => {
    say(`Uploading ${file.name} …`);
    try {
      const { url } = await uploadImage(file);
      if (!isOpen) return null;
      let key = afterKey;
      editor.update(
        () => {
          const card = $createCardNode(imageCard({ src: url }));
          $insertBlock(card, afterKey);
          key = card.getKey();
        },
        { discrete: true },
      );
      say(`${file.name} is in the post.`);
      return key;
    } catch (error) {
      say(
        `${file.name} was not uploaded: ${error instanceof Error ? error.message : String(error)}`,
      );
      return afterKey;
    }
  };

  const placeAll = async (files: readonly File[]): Promise<void> => {
    const images = files.filter(({ type }) => type.startsWith('image/'));
    if (images.length < files.length) say('Only images can be put into a post.');
    let key = editor.getEditorState().read(() => $selectedBlock()?.getKey() ?? null);
    for (const image of images) key = await place(image, key);
  };

  const end = editor.registerCommand(
    DRAG_DROP_PASTE,
    (files) => {
      // Where they were dropped is known when this update is over.
      queueMicrotask(() => void placeAll(files));
      return true;
    },
    COMMAND_PRIORITY_LOW,
  );

  return {
    choose: () => chooseFiles((files) => void placeAll(files)),
    destroy: () => {
      isOpen = false;
      end();
    },
  };
};

const chooseFiles = (take: (files: readonly File[]) => void): void => {
  const input = make('input', { type: 'file', accept: 'image/*', multiple: '' });
  input.addEventListener('change', () => take([...(input.files ?? [])]));
  input.click();
};
