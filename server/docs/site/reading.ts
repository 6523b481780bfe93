/** Scrolls the list of pages to the current one. */
export function showWhere(): void {
  const side = document.querySelector<HTMLElement>('.side');
  const here = side?.querySelector<HTMLElement>('[aria-current=page]');
  if (!side || !here) return;
  const below = here.getBoundingClientRect().bottom - side.getBoundingClientRect().bottom;
  if (below > -80) side.scrollTop += below + side.clientHeight / 2;
}

/** Marks the current section in the tables of contents. */
export function followReading(): void {
  const links = new Map<string, Element[]>();
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.contents a, .below a')) {
    const id = decodeURIComponent(link.hash.slice(1));
    links.set(id, [...(links.get(id) ?? []), link]);
  }
  const headings = [...links.keys()].map((id) => document.getElementById(id)).filter((one) => one !== null);
  if (headings.length === 0) return;
  let marked: string | undefined;
  const mark = () => {
    const above = headings.filter((heading) => heading.getBoundingClientRect().top < 140);
    const id = (above.at(-1) ?? headings[0])?.id;
    if (id === marked) return;
    for (const link of links.get(marked ?? '') ?? []) link.removeAttribute('aria-current');
    for (const link of links.get(id ?? '') ?? []) link.setAttribute('aria-current', 'location');
    marked = id;
  };
  let waiting = false;
  const later = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      mark();
    });
  };
  addEventListener('scroll', later, { passive: true });
  mark();
}
