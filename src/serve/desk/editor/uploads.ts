// The hook by which the editor's cards upload files, and which files each kind takes, as Ghost says it.
import { useState } from 'react';
import type { UploadKind } from '../upload.ts';

type Types = Readonly<Record<'mimeTypes' | 'extensions', readonly string[]>>;

/** Without a name: any. */
const FILE_TYPES: Readonly<Record<UploadKind, Types>> = {
  file: { mimeTypes: [], extensions: [] },
  image: {
    mimeTypes: ['gif', 'jpg', 'jpeg', 'png', 'svg+xml', 'webp', 'avif'].map(
      (type) => `image/${type}`,
    ),
    extensions: ['gif', 'jpg', 'jpeg', 'png', 'svg', 'svgz', 'webp', 'avif'],
  },
  video: {
    mimeTypes: ['video/mp4', 'video/webm', 'video/ogg'],
    extensions: ['mp4', 'webm', 'ogv'],
  },
  audio: {
    mimeTypes: ['mp3', 'mpeg', 'ogg', 'wav', 'x-wav', 'mp4', 'x-m4a'].map(
      (type) => `audio/${type}`,
    ),
    extensions: ['mp3', 'wav', 'ogg', 'm4a'],
  },
  mediaThumbnail: {
    mimeTypes: ['gif', 'jpg', 'jpeg', 'png', 'webp'].map((type) => `image/${type}`),
    extensions: ['gif', 'jpg', 'jpeg', 'png', 'webp'],
  },
};

export type Upload = (
  kind: UploadKind,
  file: File,
  fields: Readonly<Record<string, string>>,
) => Promise<{ readonly url: string }>;

type UploadError = { readonly fileName: string; readonly message: string };
type Uploaded = { readonly url: string; readonly fileName: string };
type Options = { readonly formData?: Readonly<Record<string, string>> };

const IDLE = { progress: 0, isLoading: false, errors: [] as UploadError[], filesNumber: 0 };

export const fileUploader = (send: Upload) => ({
  fileTypes: FILE_TYPES,
  useFileUpload: (kind: UploadKind = 'image') => {
    const [state, setState] = useState(IDLE);
    const upload = async (
      given: Iterable<File> = [],
      { formData = {} }: Options = {},
    ): Promise<Uploaded[] | null> => {
      const files = [...given];
      const fail = (errors: UploadError[]): null => {
        setState({ progress: 100, isLoading: false, errors, filesNumber: files.length });
        return null;
      };
      const odd = files.filter((file) => !isTaken(file, kind));
      if (odd.length > 0) return fail(odd.map(({ name }) => notTaken(name, kind)));
      const done: Uploaded[] = [];
      for (const file of files) {
        // Not nothing: the first byte of a bar shows that it works.
        const progress = Math.max(10, Math.round((100 * done.length) / files.length));
        setState({ progress, isLoading: true, errors: [], filesNumber: files.length });
        try {
          const { url } = await send(kind, file, formData);
          done.push({ url, fileName: file.name });
        } catch (error) {
          const message = error instanceof Error ? error.message : String(error);
          return fail([{ fileName: file.name, message }]);
        }
      }
      setState({ ...IDLE, progress: 100, filesNumber: files.length });
      return done;
    };
    return { ...state, upload };
  },
});

const isTaken = ({ name }: File, kind: UploadKind): boolean => {
  const { extensions } = FILE_TYPES[kind];
  return (
    extensions.length === 0 || extensions.includes(name.split('.').at(-1)?.toLowerCase() ?? '')
  );
};

const notTaken = (fileName: string, kind: UploadKind): UploadError => ({
  fileName,
  message: `Not taken here. Use one of ${FILE_TYPES[kind].extensions.join(', ')}.`,
});
