import type { Request, Response } from 'express';
import { admitPage } from '../admit';
import { sendStored } from '../files';
import { packedOnce } from '../packed-once';
import type { PageTools } from './tools';

/** The same for every site, whose token is in its own address. */
const SCRIPT = `(function () {
  // The document's own members: an element such as <img name="querySelector"> stands in the place of one.
  var own = function (name) {
    var value = Reflect.get(Document.prototype, name, document);
    return value instanceof Function ? value.bind(document) : value;
  };
  var current = own('currentScript');
  var script = current instanceof HTMLScriptElement ? current : own('querySelector')('script[src*="/cookies/embed.js"]');
  if (!script) return;
  var place = own('createElement')('div');
  // As the banner: the page's language, else one of the browser's, which the request names.
  var lang = own('documentElement').lang;
  var fail = function () {
    var link = own('createElement')('a');
    link.href = new URL('../cookies', script.src);
    link.textContent = 'Cookies';
    place.replaceChildren(link);
  };
  script.after(place);
  fetch(new URL('fragment' + (lang ? '?lang=' + encodeURIComponent(lang) : ''), script.src), { credentials: 'omit' })
    .then(function (answer) { return answer.ok ? answer.text() : Promise.reject(); })
    .then(function (html) { place.innerHTML = html; })
    .catch(fail);
})();
`;

const stored = packedOnce('the cookie declaration', {
  contentType: 'text/javascript; charset=utf-8',
  text: SCRIPT,
  cacheControl: 'public, max-age=3600',
});

/** One line of a page that puts the cookie declaration where it stands, in the language of the banner. */
export async function cookiesScript(
  { context, limiter, addressOf }: PageTools,
  request: Request,
  response: Response,
): Promise<void> {
  await admitPage(context, limiter, String(request.params.token), addressOf(request));
  const { exchange } = response.locals;
  exchange.open = true;
  sendStored(exchange, await stored(), context.log);
}
