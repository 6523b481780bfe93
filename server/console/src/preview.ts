import { isShowMessage, type Shown, type StateMessage } from './preview-message';

const tell = (avowPreviewState: StateMessage['avowPreviewState']): void =>
  parent.postMessage({ avowPreviewState } satisfies StateMessage, '*');

/** Answers the banner's requests from the data of the console, because the frame can reach no server. */
function answer(url: string, { vendors, texts }: Shown): Response {
  const [, language = ''] = /\/texts\/([^/]+)$/.exec(url) ?? [];
  if (url.endsWith('/vendors')) return Response.json({ status: 'success', data: { vendors } });
  const found = texts[language];
  return found === undefined
    ? Response.json({ status: 'error', data: { code: 'not_found', errors: [] } }, { status: 404 })
    : Response.json({ status: 'success', data: { language, texts: found } });
}

/**
 * A banner that opens must not take the focus from a user who types beside the frame, until the user has used
 * the frame.
 */
function leaveFocusAlone(): void {
  const { focus } = HTMLElement.prototype;
  const { showModal } = HTMLDialogElement.prototype;
  const isVisited = (): boolean => navigator.userActivation?.hasBeenActive ?? document.hasFocus();
  HTMLElement.prototype.focus = function (options) {
    if (isVisited()) focus.call(this, options);
  };
  HTMLDialogElement.prototype.showModal = function () {
    // An inert element gets no focus.
    this.inert = !isVisited();
    showModal.call(this);
    this.inert = false;
  };
}

/** On a site the banner is not printed; a record that is printed as proof must show it, in its colours. */
const printable = (script: string): string =>
  script.replaceAll('@media print{', '@media print{*{print-color-adjust:exact!important}}@media not all{');

function show(shown: Shown): void {
  leaveFocusAlone();
  document.documentElement.lang = shown.language;
  document.addEventListener('avow:show', () => tell('shown'), { once: true });
  Object.assign(window, {
    // An array is the queue of calls that the banner runs when it has started.
    Avow: Object.assign(shown.layer === 'settings' ? [['show', 'settings']] : [], {
      preview: true,
      rule: shown.rule,
    }),
    fetch: async (url: string) => answer(url, shown),
    // A frame that is out of view or printed is painted late or never: the banner must not wait for that.
    requestAnimationFrame: (draw: FrameRequestCallback) => setTimeout(() => draw(performance.now())),
  });
  const script = document.createElement('script');
  script.src = URL.createObjectURL(new Blob([printable(shown.script)], { type: 'text/javascript' }));
  document.head.append(script);
}

// The frame is sandboxed with an opaque origin. It runs one script from the console, once.
let done = false;
addEventListener('message', (event: MessageEvent<unknown>) => {
  if (done || event.source !== parent || !isShowMessage(event.data)) return;
  done = true;
  show(event.data.avowPreview);
});
tell('ready');
