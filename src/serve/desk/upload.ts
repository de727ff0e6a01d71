// Sends a file to the server, which keeps it and names its address.
import { useEffect, useState } from 'preact/hooks';
import type { Api } from './api.ts';

const uploads = new EventTarget();
let running = 0;

const count = (change: 1 | -1): void => {
  running += change;
  uploads.dispatchEvent(new Event('change'));
};

/** True while a file is on its way: what is saved then would come without it. */
export const useUploading = (): boolean => {
  const [isUploading, setUploading] = useState(running > 0);
  useEffect(() => {
    const follow = (): void => setUploading(running > 0);
    uploads.addEventListener('change', follow);
    return () => uploads.removeEventListener('change', follow);
  }, []);
  return isUploading;
};

export type UploadKind = 'image' | 'video' | 'audio' | 'mediaThumbnail' | 'file';

const PLACES = {
  image: ['POST', '/images/upload/'],
  video: ['POST', '/media/upload/'],
  audio: ['POST', '/media/upload/'],
  mediaThumbnail: ['PUT', '/media/thumbnail/upload/'],
  file: ['POST', '/files/upload/'],
} as const satisfies Record<UploadKind, readonly [string, string]>;

export const uploadFile = async (
  api: Api,
  kind: UploadKind,
  {
    file,
    fields = {},
  }: { readonly file: File; readonly fields?: Readonly<Record<string, string>> },
): Promise<{ url: string }> => {
  count(1);
  try {
    const form = new FormData();
    form.set('file', file, file.name || 'picture');
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    const [method, path] = PLACES[kind];
    const answer = await api.send<Record<string, { url: string }[]>>(method, path, form);
    const [stored] = Object.values(answer)[0] ?? [];
    if (stored === undefined) throw new Error('The server answered no file.');
    return stored;
  } finally {
    // Whoever asked puts the file in place before the next task.
    setTimeout(count, 0, -1);
  }
};

export const uploadImage = (api: Api, file: File): Promise<{ url: string }> =>
  uploadFile(api, 'image', { file, fields: { purpose: 'image' } });

/** The pictures that were dropped or pasted. */
export const picturesOf = (transfer: DataTransfer | null): File[] =>
  [...(transfer?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
