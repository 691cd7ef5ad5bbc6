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
  return (known ??= {
    regular: await fontFile('400Regular/Vazirmatn_400Regular.ttf'),
    bold: await fontFile('700Bold/Vazirmatn_700Bold.ttf'),
  });
}
