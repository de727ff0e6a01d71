// Sends a picture to the server, which keeps it and names its address.
import { useEffect, useState } from 'preact/hooks';
import type { Api } from './api.ts';

const uploads = new EventTarget();
let running = 0;

const count = (change: 1 | -1): void => {
  running += change;
  uploads.dispatchEvent(new Event('change'));
};

/** True while a picture is on its way: what is saved then would come without it. */
export const useUploading = (): boolean => {
  const [isUploading, setUploading] = useState(running > 0);
  useEffect(() => {
    const follow = (): void => setUploading(running > 0);
    uploads.addEventListener('change', follow);
    return () => uploads.removeEventListener('change', follow);
  }, []);
  return isUploading;
};

export const uploadImage = async (api: Api, file: File): Promise<{ url: string }> => {
  count(1);
  try {
    return await sendImage(api, file);
  } finally {
    // Whoever asked puts the picture in place before the next task.
    setTimeout(count, 0, -1);
  }
};

const sendImage = async (api: Api, file: File): Promise<{ url: string }> => {
  const form = new FormData();
  form.set('file', file, file.name || 'picture');
  form.set('purpose', 'image');
  const { images } = await api.send<{ images: { url: string }[] }>('POST', '/images/upload/', form);
  const [image] = images;
  if (image === undefined) throw new Error('The server answered no picture.');
  return image;
};

/** The pictures that were dropped or pasted. */
export const picturesOf = (transfer: DataTransfer | null): File[] =>
  [...(transfer?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
