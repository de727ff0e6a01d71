// Gives the parser of a connection one request at a time: as much as ends one head, the rest when that request
// is answered. So what a client pipelines costs nothing before it is answered. Node.js reads such a connection a
// little slower than one that its parser reads by itself.
import type { Connection } from './connection.ts';

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** A second time it changes nothing. */
export const feedInParts = (connection: Connection): void => {
  if (connection.isFedInParts) return;
  connection.isFedInParts = true;
  const { socket } = connection;
  const parse = socket.listeners('data').at(0) as (chunk: Buffer) => void;
  const feed = (chunk: Buffer): void => {
    for (let rest = chunk; rest.length > 0 && !connection.isEnding; ) {
      // Node.js pauses, too, where a body or an answer is not taken, and must not be given more then.
      if (socket.isPaused() || connection.current?.request.complete === true) {
        socket.pause();
        socket.unshift(rest);
        return;
      }
      const at = rest.indexOf(END_OF_HEAD);
      const end = at === -1 ? rest.length : at + END_OF_HEAD.length;
      parse(end === rest.length ? rest : rest.subarray(0, end));
      rest = rest.subarray(end);
    }
  };
  socket.removeListener('data', parse);
  socket.on('data', feed);
};
