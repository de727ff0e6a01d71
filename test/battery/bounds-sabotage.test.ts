// What clients may make the server hold: each test of it must fail on a source that lets them hold more.
import { type Row, tryRows } from './sabotaged-tests.ts';

const turns = 'src/server/connections/turns.ts';
const admission = 'src/server/connections/admission.ts';
const boundAnswers = 'src/server/connections/bound-answers.ts';
const routes = 'src/server/content/content-routes.ts';

const KEPT = 'test/unit/server/kept-answers.test.ts';
const PIPELINING = 'test/unit/server/pipelining.test.ts';
const BOUNDS = 'test/unit/server/answer-bounds.test.ts';
const LIMITS = 'test/unit/server/answer-limits.test.ts';

const ROWS: readonly Row[] = [
  [
    'only a whole answer is kept',
    KEPT,
    { file: routes, replace: '    if (!hasBody) return reply.send();\n', by: '' },
    'after a 304',
  ],
  [
    'a file that is not sent is closed',
    PIPELINING,
    { file: routes, replace: '    else await document.close();\n', by: '' },
    'alone clients that go away',
  ],
  [
    'one request of a connection is answered at a time',
    PIPELINING,
    { file: turns, replace: 'else wait(connection, turn);', by: 'else run(connection, turn);' },
    'alone a client that reads gets every answer',
  ],
  [
    'in a crowd one request is parsed at a time',
    PIPELINING,
    { file: turns, replace: 'if (connections.size > CROWD) feedInParts(connection);', by: '' },
    'nothing is made of requests',
  ],
  [
    'an error of the parser comes after the answers before it',
    PIPELINING,
    {
      file: turns,
      replace: 'else if (request?.complete !== false) enter(connection, say);',
      by: 'else if (request?.complete !== false) say();',
    },
    'what is no request',
  ],
  [
    'a request that is broken off is not waited for',
    PIPELINING,
    { file: turns, replace: 'else run(connection, say);', by: 'else enter(connection, say);' },
    'alone a body that cannot be read',
  ],
  [
    'clients that do not read are ended',
    BOUNDS,
    {
      file: boundAnswers,
      replace: 'connection.sinceMs < nowMs - UNREAD_MS) turns.end(connection);',
      by: 'connection.sinceMs < 0) turns.end(connection);',
    },
    'reads nothing, or next to nothing',
  ],
  [
    'slow readers are not ended',
    BOUNDS,
    {
      file: 'src/server/connections/connection.ts',
      replace: '  connection.takenBytes = taken;\n  connection.sinceMs = nowMs;\n',
      by: '  connection.takenBytes = taken;\n',
    },
    'reads slowly',
  ],
  [
    'a new connection is accepted',
    BOUNDS,
    {
      file: boundAnswers,
      replace: 'if (oldest !== null) turns.end(oldest);',
      by: 'if (oldest !== null) turns.end(connection);',
    },
    'have sent nothing',
  ],
  [
    'an unread answer is ended for a request that waits',
    BOUNDS,
    {
      file: boundAnswers,
      replace: 'if (at !== -1) inactive.splice(at, 1).forEach(turns.end);',
      by: 'if (at > inactive.length) inactive.splice(at, 1).forEach(turns.end);',
    },
    'the admin interface never waits',
  ],
  [
    'the admin interface waits for no content',
    BOUNDS,
    {
      file: boundAnswers,
      replace: '(isOther ? paces.others : paces.content)',
      by: 'paces.content',
    },
    'the admin interface never waits',
  ],
  [
    'answers under way are capped',
    BOUNDS,
    { file: admission, replace: 'underWay.size < answersMax && !isCapped', by: '!isCapped' },
    'finds no room for 5 s',
  ],
  [
    'answers of one address are capped',
    BOUNDS,
    {
      file: admission,
      replace: 'underWay.size < answersMax && !isCapped(address);',
      by: 'underWay.size < answersMax;',
    },
    'for one address are capped',
  ],
  [
    'memory of answers is capped',
    LIMITS,
    {
      file: 'src/server/connections/answer-memory.ts',
      replace: 'const hasRoom = total + bytes <= bytesMax;',
      by: 'const hasRoom = bytes <= bytesMax;',
    },
  ],
  [
    'a body counts until its last answer ends',
    LIMITS,
    {
      file: 'src/server/connections/answer-memory.ts',
      replace: '      if (use.count > 0) return;\n',
      by: '',
    },
  ],
  [
    'few files mean few connections',
    LIMITS,
    {
      file: 'src/server/connections/answer-limits.ts',
      replace: 'Math.min(connectionsMax, Math.floor((shared * 2) / 3))',
      by: 'connectionsMax',
    },
  ],
  [
    'too many open files are answered with 503',
    LIMITS,
    { file: 'src/server/problem.ts', replace: "code !== 'EMFILE' &&", by: "code !== '' &&" },
  ],
];

tryRows(ROWS);
