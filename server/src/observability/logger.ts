import pino from 'pino';
import { nativeError } from '../db/errors';
import { beginning } from '../domain/text';
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

const outputs = new WeakMap<Logger, LogLines>();

/** What a logger writes to, where it is one of `createLogger`. */
export const outputOf = (log: Logger): LogLines | undefined => outputs.get(log);

/** Characters of a message, and of the places of a stack: either may quote what somebody sent. */
const MESSAGE = 2_000;
const PLACES = 8_000;

/** Where an error was thrown: the lines of its stack behind the message, which may have lines of its own. */
export function placesOf({ stack = '', message }: Error): string[] {
  const from = Math.max(0, stack.indexOf(message)) + message.length;
  const lines = stack.slice(from, from + PLACES).split('\n');
  return lines.filter((line) => /^\s+at /.test(line));
}

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
    message: fromDatabase ? `database error ${code}` : beginning(error.message, MESSAGE),
    ...(code === undefined ? {} : { code }),
    ...(table === undefined ? {} : { table }),
    ...(constraint === undefined ? {} : { constraint }),
    // The places only: a message of several lines stands before them, and may quote a row.
    stack: placesOf(error).slice(0, 11).join('\n'),
  };
}
