/** An answer as a file of this name, to be read by people too. */
export const jsonFile = (name: string, data: unknown): Response =>
  new Response(`${JSON.stringify(data, null, 2)}\n`, {
    headers: { 'Content-Type': 'application/json', 'Content-Disposition': `attachment; filename="${name}"` },
  });

/** Saves a file of the API in the browser, with the name that the server gave it. */
export async function saveFile(answer: Promise<Response>): Promise<void> {
  const response = await answer;
  const disposition = response.headers.get('Content-Disposition') ?? '';
  const [, encoded] = /filename\*=UTF-8''([^;]+)/.exec(disposition) ?? [];
  const [, plain = 'avow'] = /filename="([^"]+)"/.exec(disposition) ?? [];
  const name = encoded === undefined ? plain : decodeURIComponent(encoded);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  // By then the browser has started to save the file.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
