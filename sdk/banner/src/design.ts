import { doc } from './document.js';

/**
 * What page style sheets call an element, by what it is. To accept, to refuse and to save have one name in common, and the
 * row in which they stand has none: it decides how wide each is.
 */
const PARTS = {
  dialog: 'panel',
  '.first': 'banner',
  '.second': 'settings',
  '.words': 'content',
  h2: 'title',
  '#text': 'description',
  '.notice': 'notice',
  a: 'link',
  'button:not(.control,.close)': 'button',
  '.answer': 'button-answer',
  '.settings': 'button-settings',
  '.close': 'button-close',
  section: 'category',
  h3: 'category-title',
  '[role=switch]': 'switch',
  details: 'details',
  table: 'table',
  '.control': 'control',
  '.cover': 'placeholder',
  '.logo': 'logo',
};

/** Names a new element for style sheets of the page, where the site wants it. */
export function named(element: Element): void {
  if (!config.design?.parts) return;
  for (const [selector, part] of Object.entries(PARTS)) if (element.matches(selector)) element.part.add(part);
}

/** The rules of the site's design. The page's font is that of its texts, which the host, beside the body, does not inherit. */
export const rules = (): string =>
  config.design?.styles.replace('inherit', () => getComputedStyle(doc.body).fontFamily) ?? '';

/**
 * Draws the site's logo: an image would be a request, which a Content-Security-Policy may forbid. Nothing is there where
 * it cannot be drawn.
 */
export async function draw(canvas: HTMLCanvasElement, image: string): Promise<void> {
  try {
    const bytes = Uint8Array.from(atob(image.split(',')[1] as string), (one) => one.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes]));
    canvas.width = picture.width;
    canvas.height = picture.height;
    canvas.getContext('2d')?.drawImage(picture, 0, 0);
  } catch {
    canvas.remove();
  }
}
