// Puts a single file of the tree, such as a list, where its bytes differ from what the manifest has of it.
import type { WrittenFile } from '../../output/session/whole-file.ts';
import type { PassContext } from '../pass-context.ts';

type FileContext = Pick<PassContext, 'session' | 'manifest' | 'isFull'>;

/** True when the file has other bytes than before. */
export const putFile = (
  { session, manifest, isFull }: FileContext,
  name: string,
  file: WrittenFile,
): boolean => {
  const before = isFull ? undefined : manifest.file(name);
  if (before?.sha256.equals(file.sha256) === true) {
    session.dropFile(file);
    return false;
  }
  const { statKey, isSame } = session.putFile(name, file);
  manifest.putFile({ path: name, size: file.size, sha256: file.sha256, statKey });
  return !isSame;
};
