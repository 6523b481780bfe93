// Injected by an app into its web view, before the scripts of a page. It tells the app each decision, and lets the app
// open the settings: `avowOpenSettings()`.
(() => {
  /** @param {object} message */
  const tell = (message) => {
    const text = JSON.stringify(message);
    // WKWebView on iOS and macOS; an object that an Android app adds; React Native.
    if (window.webkit?.messageHandlers?.avow) window.webkit.messageHandlers.avow.postMessage(text);
    else if (window.avowApp?.onMessage) window.avowApp.onMessage(text);
    else window.ReactNativeWebView?.postMessage(text);
  };

  // An app that shows pages of several sites asks which one decided. What is in force ends without an event of its own:
  // the banner asks again, after a new policy.
  const of = (detail) => ({
    page: location.origin,
    consent: window.Avow.getConsent?.() ?? null,
    ...detail,
  });

  window.Avow = window.Avow || [];
  window.Avow.push(
    ['on', 'ready', (consent) => tell({ avow: 'ready', ...of({ consent }) })],
    ['on', 'consent', (consent) => tell({ avow: 'consent', ...of({ consent }) })],
    ['on', 'show', ({ layer }) => tell({ avow: 'show', ...of({ layer }) })],
    ['on', 'hide', ({ layer }) => tell({ avow: 'hide', ...of({ layer }) })],
  );
  window.avowOpenSettings = () => window.Avow.push(['show', 'settings']);
})();
