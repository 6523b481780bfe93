import { beFound as beFoundAs, type Callback } from '../locator.js';
import { own } from '../own.js';

/** What waits in a stub that listens: events go to the callback. */
export interface Listener {
  id: number;
  callback: Callback;
}
export interface GppApi {
  (command?: string, callback?: Callback, parameter?: unknown, version?: string): unknown;
  /** Of a stub alone. */
  events?: Listener[];
}

const host = window as unknown as { __gpp?: GppApi };

/** The window's function of this name; elements are none, nor is what a page's library lets a link add to all objects. */
export function present(): GppApi | undefined {
  const found = own<GppApi>(host, '__gpp');
  return typeof found === 'function' ? found : undefined;
}

export const become = (api: GppApi): void => {
  host.__gpp = api;
};

/** Not counted: the frame of one vendor could guess the others', and take them away. */
export const listenerId = (): number => crypto.getRandomValues(new Uint32Array(1))[0] as number;

interface Call {
  command?: string;
  parameter?: unknown;
  version?: string;
}

/** Frames may call it, too. */
export const beFound = (): void =>
  beFoundAs<Call>('__gpp', ({ command, parameter, version }, answer) =>
    present()?.(command, answer, parameter, version),
  );
