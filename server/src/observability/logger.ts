import pino from 'pino';
import { nativeError } from '../db/errors';
import { tellOnce } from './failures';
import { LogLines } from './log-lines';

export type Logger = pino.Logger;

/**
 * JSON lines on standard output. Buffered, because a line for every visitor must not cost a system call each;
 * `flush` at the end. Never hand it a body, an e-mail address, a token or a full IP address.
 */
export function createLogger(level: string): Logger {
  if (level === 'silent') return pino({ level });
  const lines = new LogLines();
  const logger = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: describeError },
    },
    lines,
  );
  outputs.set(logger, lines);
  return logger;
}

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

const outputs = new WeakMap<Logger, LogLines>();

/**
 * Writes the line of a request, the same that `log.info(line, 'request')` writes; but pino's way there costs
 * more than everything else that is done for a visitor's request and is not JSON or HTTP. Of those that are
 * answered with 503 the first of an operation is written, and then their number: they come by the thousand.
 */
export function logRequest(log: Logger, line: RequestLine): void {
  const output = outputs.get(log);
  if (line.status === 503) tellRefused(log, line);
  else if (line.status >= 500) log.warn(line, 'request');
  else if (output === undefined) log.info(line, 'request');
  else if (log.levelVal <= INFO) output.write(requestLine(line));
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

/** An error without the values that a database puts into its detail. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: 'unknown error' };
  const { code, table, constraint } = nativeError(error) as Error & {
    code?: string;
    table?: string;
    constraint?: string;
  };
  // A database's message can quote the row: keep its code and where it happened.
  const fromDatabase = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code);
  return {
    name: error.name,
    message: fromDatabase ? `database error ${code}` : error.message,
    ...(code === undefined ? {} : { code }),
    ...(table === undefined ? {} : { table }),
    ...(constraint === undefined ? {} : { constraint }),
    // The places only: a message of several lines stands before them, and may quote a row.
    stack: error.stack
      ?.split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 11)
      .join('\n'),
  };
}
