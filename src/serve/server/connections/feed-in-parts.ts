// Gives the parser of a connection a part at a time, and nothing while a request is answered. So what a client
// pipelines costs little before it is answered: Node.js parses all that it is given, some 1,500 requests in 64 kB.
import type { Connection } from './connection.ts';

/** Room for a usual head, and for 40 of the shortest. */
const HEAD_BYTES = 1_024;
/** Of a body. */
const BODY_BYTES = 16 * 1_024;

/** Call it when the connection is new. */
export const feedInParts = (connection: Connection): void => {
  const feedMore = (): void => feed(connection);
  // While a stream has a listener of 'readable', the parser's listener of 'data' gets what is read here.
  connection.socket.on('readable', feedMore);
  // Node.js resumes a connection when a body is taken.
  connection.socket.on('resume', feedMore);
};

/** Call it, too, when an answer has ended. */
export const feed = (connection: Connection): void => {
  const { socket } = connection;
  while (socket.readableLength > 0 && takesMore(connection)) {
    const bytesMax = connection.current === null ? HEAD_BYTES : BODY_BYTES;
    socket.read(Math.min(bytesMax, socket.readableLength));
  }
  // Notices the end of what the client sends.
  if (socket.readableLength === 0) socket.read(0);
};

const takesMore = ({ current, waiting, isEnding }: Connection): boolean => {
  if (isEnding || current === null) return true;
  const { complete, readableLength, readableHighWaterMark } = current.request;
  return !complete && waiting.length === 0 && readableLength < readableHighWaterMark;
};
