// The hook by which the editor's cards upload files, and which types each card offers. The server refuses others.
import { useCallback, useState } from 'react';
import type { UploadKind } from '../upload.ts';
import { SHOWN } from './unknown-nodes.ts';

const typesOf = (kind: string, names: string) => ({
  mimeTypes: names.split(' ').map((name) => `${kind}/${name}`),
});

/** As Ghost has them. */
const FILE_TYPES = {
  image: typesOf('image', 'gif jpg jpeg png svg+xml webp avif'),
  video: typesOf('video', 'mp4 webm ogg'),
  audio: typesOf('audio', 'mp3 mpeg ogg wav x-wav mp4 x-m4a'),
  file: { mimeTypes: [] as string[] },
};

/** Of files that become cards when they are pasted or dropped. */
export const SHOWN_TYPES = Object.values(FILE_TYPES).flatMap(({ mimeTypes }) => mimeTypes);

export type Upload = (
  kind: UploadKind,
  file: File,
  fields: Readonly<Record<string, string>>,
) => Promise<{ readonly url: string }>;

type Named<Field extends string> = Readonly<Record<'fileName' | Field, string>>;

const IDLE = { progress: 0, isLoading: false, errors: [] as Named<'message'>[], filesNumber: 0 };

/** How Koenig names a picture that was pasted within html. */
const PASTED = 'data-src-image-';

export const fileUploader = (send: Upload, onFault: (words: string) => void) => ({
  fileTypes: FILE_TYPES,
  useFileUpload: (kind: UploadKind = 'image') => {
    const [state, setState] = useState(IDLE);
    const run = async (given: Iterable<File> = [], { formData = {} } = {}) => {
      const files = [...given];
      const done: Named<'url'>[] = [];
      const idle = { ...IDLE, filesNumber: files.length };
      for (const file of files) {
        const { name: fileName } = file;
        // Not nothing: the first byte of a bar shows that it works.
        const progress = Math.max(10, Math.round((100 * done.length) / files.length));
        setState({ ...idle, progress, isLoading: true });
        try {
          done.push({ url: (await send(kind, file, formData)).url, fileName });
        } catch (error) {
          const message = error instanceof Error ? error.message : String(error);
          if (!fileName.startsWith(PASTED)) {
            setState({ ...idle, errors: [{ fileName, message }] });
            return null;
          }
          onFault(`A pasted picture was not uploaded, and stays within the text. ${message}`);
          done.push({ url: await addressOf(file), fileName });
        }
      }
      setState(idle);
      return done;
    };
    // With another function, Koenig would upload a pasted picture again.
    return { ...state, upload: useCallback(run, [kind]) };
  },
});

/** The picture within its address, which Koenig does not upload again. */
const addressOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(SHOWN + String(reader.result).slice(SHOWN.length));
    reader.onerror = reject;
    reader.readAsDataURL(file);
  });
