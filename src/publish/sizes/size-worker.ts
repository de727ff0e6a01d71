// The process that makes the sizes of pictures, one picture at a time; it ends with whoever started it. It says first that it
// can, or why not.
import { packError } from '../../base/threads/thread-error.ts';
import { type EncodeRequest, loadEncoder } from './encode-picture.ts';
import type { Said } from './encoder-process.ts';

const say = async (work: () => Promise<Said>): Promise<void> => {
  process.send?.(await work().catch((error: unknown): Said => ({ failed: packError(error) })));
};

void say(async () => {
  const encode = await loadEncoder();
  process.on('message', (request: EncodeRequest) =>
    say(async () => ({ encoded: await encode(request) })),
  );
  return { isReady: true };
});
