// The thread that makes the sizes of pictures, one picture at a time.
import { serveThread } from '../../base/threads/serve-thread.ts';
import { loadEncoder } from './encode-picture.ts';

serveThread(await loadEncoder());
