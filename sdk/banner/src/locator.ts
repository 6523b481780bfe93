import { doc } from './document.js';
import { own } from './own.js';

export type Callback = (value: unknown, success?: boolean) => void;

/**
 * Frames look for a window that has a frame of this API's name, and send their calls there (IAB Tech Lab, CMP API v2 for TCF
 * and CMP API 1.1 for GPP). Calls come as objects or as JSON, and are answered in kind.
 * @param api name of the window's function, which begins those of the frame, the calls and the answers
 * @param call hands a frame's call to that function
 */
export function beFound<Call>(api: string, call: (call: Call, answer: Callback) => void): void {
  const name = `${api}Locator`;
  // By the document: what all objects have hides a frame of this name from the window.
  if (doc.querySelector(`iframe[name=${name}]`)) return;
  const frame = doc.createElement('iframe');
  frame.name = name;
  frame.title = name;
  frame.style.display = 'none';
  // Beside the body, where frameworks that hydrate it do not look, and which may not be there yet.
  doc.documentElement.append(frame);
  addEventListener('message', ({ data, source }: MessageEvent<unknown>) => {
    const isText = typeof data === 'string';
    let one: (Call & { callId?: unknown }) | undefined;
    try {
      // Looked at first, because an exception of the parser is slow.
      if (isText && !data.includes(`${api}Call`)) return;
      one = own(isText ? JSON.parse(data) : data, `${api}Call`);
    } catch {
      return;
    }
    if (!one || !source) return;
    const { callId } = one;
    call(one, (returnValue, success) => {
      const answer = { [`${api}Return`]: { returnValue, success, callId } };
      source.postMessage(isText ? JSON.stringify(answer) : answer, { targetOrigin: '*' });
    });
  });
}
