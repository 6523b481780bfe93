import { doc } from '../document.js';

const NAME = '__tcfapiLocator';

type Callback = (value: unknown, success?: boolean) => void;
export type TcfApi = (
  command?: string,
  version?: number,
  callback?: Callback,
  parameter?: unknown,
) => unknown;

/** The window, as scripts of vendors know it. */
export const host = window as unknown as { __tcfapi?: TcfApi; frames: Record<string, unknown> };

/** Frames look for a window that has a frame of this name, and send their calls there (IAB Tech Lab, CMP API v2). */
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
  version?: number;
  callId?: unknown;
  parameter?: unknown;
}

/** Calls come as objects, or as JSON from old scripts, and are answered in kind. */
function answerFrame({ data, source }: MessageEvent<unknown>): void {
  const isText = typeof data === 'string';
  let call: Call | undefined;
  try {
    // Looked at first, because an exception of the parser is slow.
    if (isText && !data.includes('__tcfapiCall')) return;
    call = ((isText ? JSON.parse(data) : data) as { __tcfapiCall?: Call } | null)?.__tcfapiCall;
  } catch {
    return;
  }
  if (!call || !source) return;
  const { command, version, callId, parameter } = call;
  host.__tcfapi?.(
    command,
    version,
    (returnValue, success) => {
      const answer = { __tcfapiReturn: { returnValue, success, callId } };
      source.postMessage(isText ? JSON.stringify(answer) : answer, { targetOrigin: '*' });
    },
    parameter,
  );
}
