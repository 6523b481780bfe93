import { own } from './own.js';
import { beFound, host, type TcfApi } from './tcf/locator.js';

/**
 * Beside the other stub, where the site takes part in IAB Europe's framework. What vendors call before the script is there waits; only `ping` is answered. Without arguments it gives the queue.
 */
if (!own(host, '__tcfapi')) {
  const calls: Parameters<TcfApi>[] = [];
  host.__tcfapi = (...call) => {
    const [command, , callback] = call;
    if (!call[0]) return calls;
    if (command !== 'ping') calls.push(call);
    else callback?.({ cmpLoaded: false, cmpStatus: 'stub', apiVersion: '2.2' }, true);
    return undefined;
  };
  beFound();
}
