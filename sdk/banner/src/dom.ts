type Child = Node | string | false | null | undefined;
type Attribute = string | number | boolean | null | undefined | ((event: Event) => void);

/** An element with attributes, listeners (functions, by the event's name) and children; texts are never read as markup. */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, Attribute> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(key, value);
    else if (value || value === '') element.setAttribute(key, value === true ? '' : `${value}`);
  }
  element.append(...children.filter((child): child is Node | string => !!child));
  return element;
}

const RULE = /[^{}]+\{(?:[^{}]|\{[^{}]*\})*\}/g;

/** A shadow root of a connected element, with our styles: by CSSOM, which needs no permission of a Content-Security-Policy. */
export function shadow(host: HTMLElement, css: string): ShadowRoot {
  const root = host.attachShadow({ mode: 'open' });
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [sheet];
  } catch {
    // Browsers older than constructed style sheets.
    const style = h('style');
    root.append(style);
    for (const rule of css.match(RULE) ?? []) style.sheet?.insertRule(rule, style.sheet.cssRules.length);
  }
  return root;
}
