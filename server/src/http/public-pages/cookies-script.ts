import type { Request, Response } from 'express';
import { admitPage } from '../admit';
import { sendStored } from '../files';
import { packedOnce } from '../packed-once';
import type { PageTools } from './tools';

/** The same for every site, whose token is in its own address. */
const SCRIPT = `(function (script, current) {
  // An element of this name can stand in its place, and what that one's address answers would run in the page.
  if (current instanceof HTMLScriptElement) script = current;
  if (!script) return;
  var place = document.createElement('div');
  // As the banner: the page's language, else one of the browser's, which the request names.
  var lang = document.documentElement.lang;
  var fail = function () {
    var link = document.createElement('a');
    link.href = new URL('../cookies', script.src);
    link.textContent = 'Cookies';
    place.replaceChildren(link);
  };
  script.after(place);
  fetch(new URL('fragment' + (lang ? '?lang=' + encodeURIComponent(lang) : ''), script.src), { credentials: 'omit' })
    .then(function (answer) { return answer.ok ? answer.text() : Promise.reject(); })
    .then(function (html) { place.innerHTML = html; })
    .catch(fail);
})(document.querySelector('script[src*="/cookies/embed.js"]'), document.currentScript);
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
