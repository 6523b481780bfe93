import pino from 'pino';
import { tellOnce } from './failures';
import { type Logger, outputOf } from './logger';

/**
 * The log line of an answered request. None of it needs escaping: ids are validated, the rest is ours or
 * Node's.
 */
export interface RequestLine {
  request_id: string;
  trace_id?: string;
  method: string | undefined;
  /** The operation, not the path: a path can hold a session or an address. */
  operation: string;
  status: number;
  ms: number;
}

/**
 * Writes the line of a request, the same that `log.info(line, 'request')` writes; but pino's way there costs
 * more than everything else that is done for a visitor's request and is not JSON or HTTP. Of those that are
 * answered with 503 the first of an operation is written, and then their number: they come by the thousand.
 */
export function logRequest(log: Logger, line: RequestLine): void {
  const output = outputOf(log);
  if (line.status === 503) tellRefused(log, line);
  else if (line.status >= 500) log.warn(line, 'request');
  else if (output === undefined) log.info(line, 'request');
  else if (log.levelVal <= INFO) output.writePlain(requestLine(line));
}

function tellRefused(log: Logger, line: RequestLine): void {
  const { operation, status } = line;
  tellOnce(log, {
    level: 'warn',
    key: `${operation} ${status}`,
    fields: line,
    message: 'request',
    words: 'requests are answered with 503',
    about: { operation, status },
  });
}

const INFO = pino.levels.values.info as number;

const requestLine = ({ request_id, trace_id, method, operation, status, ms }: RequestLine): string =>
  `{"level":"info","time":"${new Date().toISOString()}","pid":${process.pid},"request_id":"${request_id}"${
    trace_id === undefined ? '' : `,"trace_id":"${trace_id}"`
  },"method":"${method}","operation":"${operation}","status":${status},"ms":${ms},"msg":"request"}\n`;
