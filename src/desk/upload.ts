// Sends a picture to the server, which keeps it and names its address.
import type { Api } from './api.ts';

export const uploadImage = async (api: Api, file: File): Promise<{ url: string }> => {
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
