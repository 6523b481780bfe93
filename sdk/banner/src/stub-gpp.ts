import { become, beFound, type GppApi, type Listener, listenerId, present } from './gpp/locator.js';

/**
 * Beside the other stub, where the site has the IAB's Global Privacy Platform. It answers as the CMP API 1.1 wants of a
 * stub: nothing is known yet; who listens is noted, and hears the script. Without arguments it gives the queue.
 */
if (!present()) {
  const queue: unknown[] = [];
  const events: Listener[] = [];
  const ping = (): object => ({
    gppVersion: '1.1',
    cmpStatus: 'stub',
    cmpDisplayStatus: 'hidden',
    signalStatus: 'not ready',
    supportedAPIs: [],
    cmpId: 0,
    sectionList: [],
    applicableSections: [0],
    gppString: '',
    parsedSections: {},
  });
  const stub: GppApi = (...call) => {
    const [command, callback, parameter] = call;
    if (!command) return queue;
    const tell = (eventName: string, listener: unknown, data: boolean): void =>
      callback?.({ eventName, listenerId: listener, data, pingData: ping() }, true);
    if (command === 'ping') callback?.(ping(), true);
    else if (command === 'addEventListener' && callback) {
      const id = listenerId();
      events.push({ id, callback });
      tell('listenerRegistered', id, true);
    } else if (command === 'removeEventListener') {
      const at = events.findIndex(({ id }) => id === parameter);
      if (at >= 0) events.splice(at, 1);
      tell('listenerRemoved', parameter, at >= 0);
    } else if (/^(has|get)(Section|Field)$/.test(command)) callback?.(null, true);
    else queue.push(call);
    return;
  };
  stub.events = events;
  become(stub);
  beFound();
}
