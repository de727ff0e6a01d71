// What clients may make the server hold: each test of it must fail on a source that lets them hold more.
import { type Row, tryRows } from './sabotaged-tests.ts';

const queues = 'src/server/connections/request-queues.ts';
const admission = 'src/server/connections/admission.ts';
const boundAnswers = 'src/server/connections/bound-answers.ts';
const routes = 'src/server/content/content-answers.ts';

const KEPT = 'test/unit/server/kept-answers.test.ts';
const PIPELINING = 'test/unit/server/pipelining.long.test.ts';
const BOUNDS = 'test/unit/server/answer-bounds.test.ts';
const LIMITS = 'test/unit/server/answer-limits.test.ts';

const ROWS: readonly Row[] = [
  [
    'only a whole answer is kept',
    KEPT,
    { file: routes, replace: '  if (!hasBody) return reply.send();\n', by: '' },
    'after a 304',
  ],
  [
    'a file that is not sent is closed',
    PIPELINING,
    { file: routes, replace: '  else await document.close();\n', by: '' },
    'alone clients that go away',
  ],
  [
    'one request of a connection is answered at a time',
    PIPELINING,
    { file: queues, replace: 'else wait(connection, step);', by: 'else run(connection, step);' },
    'alone a client that reads gets every answer',
  ],
  [
    'in a crowd one request is parsed at a time',
    PIPELINING,
    { file: queues, replace: 'connections.size > CROWD', by: 'connections.size < 0' },
    'nothing is made of requests',
  ],
  [
    'an error of the parser comes after the answers before it',
    PIPELINING,
    {
      file: queues,
      replace: 'else if (request?.complete !== false) enter(connection, say);',
      by: 'else if (request?.complete !== false) say();',
    },
    'what is no request',
  ],
  [
    'a request that is broken off is not waited for',
    PIPELINING,
    { file: queues, replace: 'else run(connection, say);', by: 'else enter(connection, say);' },
    'alone a body that cannot be read',
  ],
  [
    'clients that do not read are ended',
    BOUNDS,
    {
      file: boundAnswers,
      replace: 'connection.sinceMs < nowMs - UNREAD_MS) queues.end(connection);',
      by: 'connection.sinceMs < 0) queues.end(connection);',
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
      replace: 'if (oldest !== null) queues.end(oldest);',
      by: 'if (oldest !== null) queues.end(connection);',
    },
    'have sent nothing',
  ],
  [
    'an unread answer is ended for a request that waits',
    BOUNDS,
    {
      file: boundAnswers,
      replace: '    queues.end(oldest);',
      by: '    queues.end.bind(oldest);',
    },
    'the admin interface never waits',
  ],
  [
    'the admin interface waits for no content',
    BOUNDS,
    {
      file: boundAnswers,
      replace: 'paces[kind].take(exchange);',
      by: 'paces.content.take(exchange);',
    },
    'the admin interface never waits',
  ],
  [
    'after a flood one request is parsed at a time',
    PIPELINING,
    { file: queues, replace: ' || now() < floodedUntilMs', by: '' },
    'after a flood',
  ],
  [
    'who sends more than one request makes room first',
    BOUNDS,
    { file: boundAnswers, replace: 'if (hasSentMore(connection)) return 1;', by: '' },
    'who comes is answered',
  ],
  [
    'who waits makes room before who comes',
    BOUNDS,
    {
      file: boundAnswers,
      replace: 'if (connection.current?.isQueued === true) return 2;',
      by: 'if (connection.current?.isQueued === true) return 5;',
    },
    'who comes is answered',
  ],
  [
    'no reader is ended while nobody has waited',
    BOUNDS,
    { file: admission, replace: '.filter(({ sinceMs }) => sinceMs < beforeMs)', by: '' },
    'the admin interface never waits',
  ],
  [
    'a slow reader among many that read is not ended',
    BOUNDS,
    { file: boundAnswers, replace: ' || found.length * 2 < limit', by: '' },
    'stays where most',
  ],
  [
    'queues are left to new connections',
    LIMITS,
    {
      file: 'src/server/connections/pace.ts',
      replace: 'if (!isLeft) left',
      by: 'if (left >= 0) left',
    },
    'so many steps',
  ],
  [
    'bodies of requests are bounded',
    'test/unit/server/request-bodies.test.ts',
    {
      file: 'src/server/create-server.ts',
      replace: 'if (!bounds.holdRequest(exchange, bodyLimit))',
      by: 'if (request.raw === null)',
    },
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
