import type { Socket } from 'node:net';
import { wireBytes } from '../domain/wire-bytes';
import { Failure } from './failure';

/** How often a connection is looked at that says nothing to its reader, in milliseconds. */
const LOOK_MS = 100;

/** The connection beneath one with TLS: what it brings may be no data to anybody. */
const beneath = new WeakMap<Socket, { plain: Socket; restart(): void }>();

/** `restart` is called when another request begins on the connection. */
export function runsOver(secure: Socket, plain: Socket, restart: () => void): void {
  beneath.set(secure, { plain, restart });
}

/**
 * Tells of every byte that a connection brings from now until it closes, also of those that a parser drops without a
 * word: empty lines before an answer, zeros before the size of a chunk, spaces before a header's value.
 */
export function watchWire(socket: Socket, take: (bytes: number) => void): void {
  const brought = wireBytes(beneath.get(socket)?.plain ?? socket);
  brought();
  const look = (): void => {
    const bytes = brought();
    if (bytes > 0) take(bytes);
  };
  const timer = setInterval(look, LOOK_MS).unref();
  socket.on('data', look);
  socket.once('close', () => clearInterval(timer));
}

/** What starts the count of a connection anew. */
const bounded = new WeakMap<Socket, () => void>();

/** A request begins: ends a connection that brings more than so many bytes until it is given here again, or ends. */
export function boundWire(socket: Socket, most: number): void {
  beneath.get(socket)?.restart();
  const restart = bounded.get(socket);
  if (restart !== undefined) {
    restart();
    return;
  }
  let wire = 0;
  bounded.set(socket, () => {
    wire = 0;
  });
  watchWire(socket, (bytes) => {
    wire += bytes;
    if (wire > most) socket.destroy(new Failure('TOO_LONG'));
  });
}
