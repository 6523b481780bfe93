import { doc } from '../document.js';
import { own } from '../own.js';

const NAME = '__gppLocator';

type Callback = (value: unknown, success?: boolean) => void;
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

/** Frames look for a window that has a frame of this name, and send their calls there (IAB Tech Lab, CMP API 1.1). */
export function beFound(): void {
  // By the document: what all objects have hides a frame of this name from the window.
  if (doc.querySelector(`iframe[name=${NAME}]`)) return;
  const frame = doc.createElement('iframe');
  frame.name = NAME;
  frame.title = NAME;
  frame.style.display = 'none';
  // Beside the body, where frameworks that hydrate it do not look, and which may not be there yet.
  doc.documentElement.append(frame);
  addEventListener('message', answerFrame);
}

interface Call {
  command?: string;
  parameter?: unknown;
  version?: string;
  callId?: unknown;
}

/** Calls come as objects or as JSON, and are answered in kind. */
function answerFrame({ data, source }: MessageEvent<unknown>): void {
  const isText = typeof data === 'string';
  let call: Call | undefined;
  try {
    // Looked at first, because an exception of the parser is slow.
    if (isText && !data.includes('__gppCall')) return;
    call = own(isText ? JSON.parse(data) : data, '__gppCall');
  } catch {
    return;
  }
  if (!call || !source) return;
  const { command, parameter, version, callId } = call;
  present()?.(
    command,
    (returnValue, success) => {
      const answer = { __gppReturn: { returnValue, success, callId } };
      source.postMessage(isText ? JSON.stringify(answer) : answer, { targetOrigin: '*' });
    },
    parameter,
    version,
  );
}
