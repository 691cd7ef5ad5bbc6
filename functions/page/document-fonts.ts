import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { DocumentFonts } from './rendering/document/document.ts';

const packages = createRequire(import.meta.url);

/** The build puts the file beside the bundle. */
async function fontFile(name: string): Promise<Uint8Array> {
  return readFile(packages.resolve(`@expo-google-fonts/vazirmatn/${name}`));
}

let known: DocumentFonts | undefined;

/** The fonts, read once. @throws {Error} when the bundle was deployed without them */
export async function readDocumentFonts(): Promise<DocumentFonts> {
  return (known ??= await readFonts());
}

async function readFonts(): Promise<DocumentFonts> {
  const [regular, bold] = await Promise.all([
    fontFile('400Regular/Vazirmatn_400Regular.ttf'),
    fontFile('700Bold/Vazirmatn_700Bold.ttf'),
  ]);
  return { regular, bold };
}
