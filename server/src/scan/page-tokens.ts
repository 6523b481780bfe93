import { type QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** Something that an element makes a browser load. */
export interface Resource {
  /** As it is written: often relative. */
  address: string;
  /** The element's name. */
  tag: string;
}

/** Elements that load something by `src`; `link` does by `href`. */
const LOADING = new Set(['script', 'iframe', 'img', 'embed', 'video', 'audio', 'source']);
const WANTED = new Set(['src', 'href', 'type', 'rel']);
/** Longer addresses are not followed. */
const MAX_VALUE = 2_048;
const LOADED_LINK = /stylesheet|preload|icon/i;
/** Blocked until consent: a type that is no script, as consent platforms use it. */
const BLOCKED = /^\s{0,20}(?:text\/plain|application\/x-|text\/x-)/i;

/**
 * Reads HTML as a stream of tokens. The library's tokenizer reads each character once and stores nothing. Its
 * parser searches the stack of open elements for each tag, which is quadratic for a deep page.
 */
export class PageTokens implements TokenizerCallbacks {
  private readonly tokenizer = new Tokenizer({ decodeEntities: true }, this);
  private tag = '';
  private attribute = '';
  private value = '';
  private attributes = new Map<string, string>();
  private inScript = false;
  private readonly scripts: string[] = [];
  private readonly kept: string[] = [];
  private keptTo = 0;

  /** `found` is called with everything that the page loads by itself. */
  constructor(
    private readonly text: string,
    private readonly found: (resource: Resource) => void,
  ) {}

  write(piece: string): void {
    this.tokenizer.write(piece);
  }

  end(): void {
    this.tokenizer.end();
    this.kept.push(this.text.slice(this.keptTo));
  }

  /** The text of executable scripts, one after the other. */
  code(): string {
    return this.scripts.join('');
  }

  outsideComments(): string {
    return this.kept.join('');
  }

  onopentagname(start: number, end: number): void {
    this.tag = this.text.slice(start, Math.min(end, start + 20)).toLowerCase();
    this.attributes = new Map();
    this.inScript = false;
  }

  onattribname(start: number, end: number): void {
    const name = end - start > 4 ? '' : this.text.slice(start, end).toLowerCase();
    // The first of several attributes of one name counts (HTML, 13.2.5.33).
    this.attribute = WANTED.has(name) && !this.attributes.has(name) ? name : '';
    this.value = '';
  }

  onattribdata(start: number, end: number): void {
    if (this.attribute !== '' && this.value.length <= MAX_VALUE) this.value += this.text.slice(start, end);
  }

  onattribentity(codepoint: number): void {
    if (this.attribute !== '' && this.value.length <= MAX_VALUE)
      this.value += String.fromCodePoint(codepoint);
  }

  onattribend(_quote: QuoteType, _end: number): void {
    if (this.attribute !== '') this.attributes.set(this.attribute, this.value);
    this.attribute = '';
  }

  onopentagend(): void {
    const { tag, attributes } = this;
    const isBlocked = BLOCKED.test(attributes.get('type') ?? '');
    this.inScript = tag === 'script' && !isBlocked;
    const address = attributes.get(tag === 'link' ? 'href' : 'src');
    if (address === undefined || address === '' || address.length > MAX_VALUE || isBlocked) return;
    const loads = tag === 'link' ? LOADED_LINK.test(attributes.get('rel') ?? '') : LOADING.has(tag);
    if (loads) this.found({ address, tag });
  }

  onselfclosingtag(): void {
    this.onopentagend();
    this.inScript = false;
  }

  onclosetag(): void {
    // Keeps a host name at the end of one script apart from the next script.
    if (this.inScript) this.scripts.push('\n');
    this.inScript = false;
  }

  ontext(start: number, end: number): void {
    if (this.inScript) this.scripts.push(this.text.slice(start, end));
  }

  oncomment(start: number, end: number): void {
    // `<!--` is before it, `-->` at its end; what is cut off ends where the page does.
    this.kept.push(this.text.slice(this.keptTo, Math.max(this.keptTo, start - 4)));
    this.keptTo = end;
  }

  oncdata(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onprocessinginstruction(): void {}
  ontextentity(): void {}
}
