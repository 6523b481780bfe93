/** Characters of a data URL, as the contract bounds it. */
const MAX_TEXT = 16_384;
/** Pixels each way that the server takes. */
const MAX_PIXELS = 1024;
/** The box that a new logo is shown in, in CSS pixels, and the pixels of screens for each of them. */
const BOX = { width: 200, height: 48 };
const DENSITY = 2;
const TYPES = ['image/png', 'image/webp', 'image/jpeg'];

/** A chosen logo and the size at which it is shown. */
export interface ReadLogo {
  image: string;
  width: number;
  height: number;
}

/** A file as the settings take it: as it is, or drawn anew where it is too large. Throws with words for people. */
export async function readLogo(file: File): Promise<ReadLogo> {
  const picture = TYPES.includes(file.type)
    ? await createImageBitmap(file).catch(() => undefined)
    : undefined;
  if (picture === undefined)
    throw new Error('It is no PNG, WebP or JPEG that can be read: save it as one of them.');
  const scale = Math.min(BOX.width / picture.width, BOX.height / picture.height);
  const size = (length: number) => Math.max(16, Math.round(length * scale));
  const shown = { width: size(picture.width), height: size(picture.height) };
  const isSmall = Math.max(picture.width, picture.height) <= MAX_PIXELS;
  const whole = isSmall && file.size < MAX_TEXT ? await textOf(file) : '';
  if (whole !== '' && whole.length <= MAX_TEXT) return { ...shown, image: whole };
  const image = drawn(picture, Math.min(1, scale * DENSITY));
  if (image === undefined) throw new Error('It has too much in it for 16 KiB: choose a simpler one.');
  return { ...shown, image };
}

/** Smaller and, if need be, with less detail. */
function drawn(picture: ImageBitmap, scale: number): string | undefined {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const all = [0.92, 0.8, 0.6, 0.4].map((quality) => canvas.toDataURL('image/webp', quality));
  return all.find((text) => text.length <= MAX_TEXT);
}

const textOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
