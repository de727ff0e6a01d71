// What is pasted from Word, mail and their like, before Koenig reads it: its pictures stand where only that program reads
// them, and a picture of the whole may come beside it, for which Koenig drops the text.
import { SHOWN_TYPES } from './uploads.ts';

/** `onFault`: called with a sentence when pictures or files are left out. */
export const cleanPaste = (event: ClipboardEvent, onFault: (words: string) => void): void => {
  const { clipboardData: given } = event;
  if (given === null) return;
  const other = [...given.files].find(({ type }) => !SHOWN_TYPES.includes(type))?.name;
  if (other) onFault(`${other} is no picture, video or audio file. Upload it in a File card.`);
  const html = given.getData('text/html');
  if (html === '') return;
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  const pictures = [...body.querySelectorAll('img')].filter(
    (picture) => !/^(?:https?:|data:|\/)/i.test(picture.getAttribute('src') ?? ''),
  );
  const scripts = [...body.querySelectorAll('a')].filter((link) => link.protocol === 'javascript:');
  const isPicture = given.files.length > 0 && body.textContent.trim() === '';
  if (isPicture || given.files.length + pictures.length + scripts.length === 0) return;
  for (const picture of pictures) picture.remove();
  for (const link of scripts) link.replaceWith(...link.childNodes);
  const taken = new DataTransfer();
  const types = given.types.filter((type) => type !== 'Files');
  for (const type of types) taken.setData(type, given.getData(type));
  taken.setData('text/html', body.innerHTML);
  Object.defineProperty(event, 'clipboardData', { value: taken });
  if (pictures.length > 0) onFault(LEFT);
};

const LEFT =
  'Some pictures of the pasted text cannot be read here. Drop their files where they belong.';
