// The process that makes the sizes of pictures, one picture at a time; it ends with whoever started it.
import { packError } from '../../base/threads/thread-error.ts';
import { type EncodeRequest, loadEncoder } from './encode-picture.ts';
import type { Said } from './encoder-process.ts';

const loading = loadEncoder();

const answerTo = async (request: EncodeRequest): Promise<Said> => {
  try {
    return { encoded: await (await loading)(request) };
  } catch (error) {
    return { failed: packError(error) };
  }
};

process.on('message', async (request: EncodeRequest) => process.send?.(await answerTo(request)));
