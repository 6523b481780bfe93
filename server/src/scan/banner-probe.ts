/**
 * Runs inside the page: whether it has a consent banner. Looks for the interfaces of known platforms (IAB TCF
 * `__tcfapi`, GPP `__gpp` and others), for their elements including ours, and for a visible dialog or fixed
 * box that mentions cookies and has a button.
 */
export const BANNER_PROBE = `(() => {
  const globals = ['__tcfapi', '__gpp', '__cmp', 'Cookiebot', 'CookieConsent', 'OneTrust', 'Optanon', 'UC_UI', 'usercentrics', 'Didomi',
    'klaro', 'tarteaucitron', '_iub', 'Osano', 'CookieFirst', 'cookieyes', 'getCkyConsent', 'BorlabsCookie', 'axeptioSDK', 'complianz', 'truste',
    'cmp_id', 'avow', 'Avow'];
  if (globals.some((name) => typeof window[name] === 'function' || (typeof window[name] === 'object' && window[name] !== null && !(window[name] instanceof Node) && !(window[name] instanceof HTMLCollection)))) return true;
  const selectors = ['avow-banner', '#avow', '[data-avow-banner]', '#CybotCookiebotDialog', '#onetrust-banner-sdk', '#usercentrics-root', '#usercentrics-cmp-ui',
    '#didomi-host', '#didomi-notice', '.klaro .cookie-notice', '#tarteaucitronRoot', '#iubenda-cs-banner', '.osano-cm-window', '.cky-consent-container',
    '#BorlabsCookieBox', '#axeptio_overlay', '.cmplz-cookiebanner', '#truste-consent-track', '#cmpbox', '.qc-cmp2-container', '#cc-main', '.cc-window',
    '#cookie-law-info-bar', '#CookieBanner', '#cookie-banner', '.cookie-banner', '#cookie-consent', '.cookie-consent', '[id^="sp_message_container"]'];
  if (selectors.some((selector) => document.querySelector(selector) !== null)) return true;
  const words = /cookie|consent|einwilligung|consentement|consentimiento|consenso|toestemming|samtykke|zgod/i;
  const boxes = [...document.querySelectorAll('[role=dialog],[role=alertdialog],[aria-modal=true],dialog[open],body > div,body > section,body > aside,body > footer')].slice(0, 500);
  return boxes.some((box) => {
    const text = (box.textContent || '').slice(0, 5000);
    if (!words.test(text) || box.querySelector('button,[role=button],input[type=button],input[type=submit],a[href="#"]') === null) return false;
    const style = getComputedStyle(box);
    const shown = style.display !== 'none' && style.visibility !== 'hidden' && box.getClientRects().length > 0;
    return shown && (box.matches('[role=dialog],[role=alertdialog],[aria-modal=true],dialog') || style.position === 'fixed' || style.position === 'sticky');
  });
})()`;

/** Runs inside the page: the hosts from which this product's banner has held something before a decision. */
export const HELD_PROBE = `(() => {
  const hosts = new Set();
  for (const { url } of window.Avow.held().slice(0, 200)) hosts.add(new URL(url).hostname);
  return JSON.stringify([...hosts]);
})()`;

/**
 * Runs inside the page: whether it shows nothing at all, no text and no box with an area. A page of very many
 * elements shows something.
 */
export const BLANK_PROBE = `(() => {
  const body = document.body;
  if (body === null) return true;
  if ((body.innerText || '').trim() !== '') return false;
  const all = body.getElementsByTagName('*');
  if (body.localName === 'frameset' || all.length > 2000) return false;
  for (const one of all) {
    const { width, height } = one.getBoundingClientRect();
    if (width > 0 && height > 0) return false;
  }
  return true;
})()`;

/** The same as `BANNER_PROBE` as far as page source can tell. */
export const BANNER_SOURCE =
  /__tcfapi|__gpp\b|CybotCookiebot|onetrust-banner|otSDKStub|usercentrics-(root|cmp)|didomi|klaro(-config|\.js)|tarteaucitron|iubenda_cs|osano\.js|cookieyes|BorlabsCookie|axeptio|cmplz-|avow-banner|data-avow|\/api\/bundles\/env_/i;
